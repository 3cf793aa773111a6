import type { ZodType } from "zod";

/** What the configuration needs to know of one registered name. */
export interface CatalogEntry {
  name: string;
  description: string;
  /** Schema of the options this entry reads, where it declares one. */
  options?: ZodType;
  /** Metrics an evaluator declares, where it declares them. */
  metrics?: Readonly<Record<string, { higherIsBetter: boolean; unit?: string }>>;
  /** Metric used when `primary_metric` is not given. */
  primaryMetric?: string;
}

/** The registered names, by kind. `cli` makes it from the rooms' registries; this room never imports them. */
export interface Catalog {
  evaluators: readonly CatalogEntry[];
  datasources: readonly CatalogEntry[];
  samplers: readonly CatalogEntry[];
  models: readonly CatalogEntry[];
  algorithms: readonly CatalogEntry[];
  trainers: readonly CatalogEntry[];
  /** `server.type` values. */
  servers: readonly CatalogEntry[];
  /** `clients.type` values. */
  clients: readonly CatalogEntry[];
  /** `trainer.optimizer`, `trainer.lr_scheduler` and `trainer.loss_criterion` values. */
  optimizers: readonly CatalogEntry[];
  schedulers: readonly CatalogEntry[];
  losses: readonly CatalogEntry[];
}
