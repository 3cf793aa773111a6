import type { Catalog, CatalogEntry } from "../catalog.js";
import type { Section } from "../schema/config.js";
import type { Draft } from "./draft.js";

/** Kinds of registered things that a configuration names. */
export type CatalogKind = Exclude<keyof Catalog, "resultItems" | "processors">;

/** A key that names a registered thing. */
export interface NamingKey {
  readonly kind: CatalogKind;
  /** What the thing is called in messages. */
  readonly noun: string;
  readonly section: Exclude<Section, "service">;
  readonly key: string;
  /** A key of the same section that takes its place where it is given. */
  readonly insteadBy?: string;
  /** The `[parameters]` table of its options; absent where they stand in the section itself. */
  readonly parameters?: "model" | "optimizer" | "learning_rate" | "loss_criterion";
}

/** Every key that names a registered thing, but `evaluation.type`. */
export const NAMING_KEYS: readonly NamingKey[] = [
  { kind: "clients", noun: "client type", section: "clients", key: "type" },
  { kind: "servers", noun: "server type", section: "server", key: "type" },
  { kind: "datasources", noun: "data source", section: "data", key: "datasource" },
  { kind: "samplers", noun: "sampler", section: "data", key: "sampler" },
  { kind: "samplers", noun: "sampler", section: "data", key: "testset_sampler" },
  { kind: "trainers", noun: "trainer", section: "trainer", key: "type" },
  { kind: "algorithms", noun: "algorithm", section: "algorithm", key: "type" },
  {
    kind: "models",
    noun: "model",
    section: "trainer",
    key: "model_name",
    insteadBy: "model_type",
    parameters: "model",
  },
  { kind: "optimizers", noun: "optimizer", section: "trainer", key: "optimizer", parameters: "optimizer" },
  {
    kind: "schedulers",
    noun: "schedule",
    section: "trainer",
    key: "lr_scheduler",
    parameters: "learning_rate",
  },
  { kind: "losses", noun: "loss", section: "trainer", key: "loss_criterion", parameters: "loss_criterion" },
];

/** The name that a configuration gives and the key that gives it, where it gives one. */
export function chosenName(
  draft: Omit<Draft, "service">,
  naming: NamingKey,
): { name: string; key: string } | undefined {
  const section = draft[naming.section] as Record<string, unknown>;
  for (const key of [naming.insteadBy, naming.key]) {
    const name = key === undefined ? undefined : section[key];
    if (key !== undefined && typeof name === "string") return { name, key };
  }
  return undefined;
}

/** The registered thing that a configuration names, or that follows from what it names. */
export function chosenEntry(
  draft: Omit<Draft, "service">,
  catalog: Catalog,
  naming: NamingKey,
): CatalogEntry | undefined {
  // An algorithm brings its own kind of server.
  const implied = naming.kind === "servers" ? draft.algorithm.type : undefined;
  const name = chosenName(draft, naming)?.name ?? implied;
  return catalog[naming.kind].find((entry) => entry.name === name);
}
