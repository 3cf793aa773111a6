/** A score as autoevals gives it. */
export interface AutoevalsScore {
  readonly score: number | null;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/** A scorer as autoevals exports it. */
export type AutoevalsFunction = (
  given: Readonly<Record<string, unknown>>,
) => AutoevalsScore | Promise<AutoevalsScore>;

/** What the package exports. */
export type AutoevalsPackage = Readonly<Record<string, unknown>>;
