import type { ZodType } from "zod";
import type { Config } from "./schema/config.js";

/** What is known of a data source before its rows are loaded. */
export interface DataFacts {
  trainRows: number;
  testRows: number;
  /** 0 for regression. */
  classes: number;
}

/** What an entry finds wrong with a configuration that names it. */
export interface EntryFault {
  /** The key at fault, as section and key: `["data", "partition_size"]`. */
  path: readonly (string | number)[];
  /** What was expected, as the end of a sentence. */
  expected: string;
}

/** What the configuration needs to know of one registered name. */
export interface CatalogEntry {
  name: string;
  description: string;
  /**
   * Schema of the options this entry reads, where it declares one: of an evaluator the keys beside the common
   * ones; of an optimizer, schedule, loss or model its `[parameters]` table; of a data source, sampler,
   * trainer, algorithm, server or client type the keys it adds to its section.
   */
  options?: ZodType;
  /** Keys it adds to sections beside its own, by section, for example a data source of text to `trainer`. */
  otherKeys?: Readonly<Record<string, Readonly<Record<string, ZodType>>>>;
  /** Metrics an evaluator declares; of a trainer those its test gives, by the name of its result column. */
  metrics?: Readonly<Record<string, { higherIsBetter: boolean; unit?: string }>>;
  /**
   * Of a trainer, model or data source: whether it works on tokens; absent where it may or nobody knows. Of an
   * evaluator: true where it needs a model that does.
   */
  tokens?: boolean;
  /** Of an evaluator: the common keys that it heeds, of those that only some do. */
  heeds?: readonly string[];
  /** Metric used when `primary_metric` is not given. */
  primaryMetric?: string;
  /** Of a data source: its size, where it is known without loading. */
  facts?: DataFacts;
  /**
   * Of a trainer: whether its class declares evaluations of its own, which run without a table too. Undefined where
   * that cannot be seen before the run.
   */
  evaluations?: (config: Config) => boolean | undefined;
  /** Rules of this entry across keys, for example a sampler's on what partitions the data can fill. */
  check?: (config: Config, facts: DataFacts | undefined) => readonly EntryFault[];
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
  /** Columns a run can produce beside `evaluation_*`; without it `results.types` is not checked. */
  resultItems?: readonly CatalogEntry[];
}
