// What a field says of itself beside its description: `z.int().meta({ description, unit })`.
declare module "zod" {
  interface GlobalMeta {
    /** Unit of a number, as `docs/configuration.md` prints it. */
    unit?: string;
    /** Values of Plato's that are known but not supported yet. */
    notYet?: readonly unknown[];
  }
}

export type {};
