import type { ZodType } from "zod";
import type { CatalogEntry } from "../config/index.js";
import type { Dataset } from "./dataset.js";

/** What a sampler is asked: which rows of `dataset` does one logical client hold. */
export interface SamplerRequest {
  readonly dataset: Dataset;
  /** Logical client, from 1 to `totalClients`. */
  readonly clientId: number;
  readonly totalClients: number;
  /** `data.random_seed`; a sampler derives its generators from it. */
  readonly seed: number;
  /** The `[data]` table: `partition_size`, `concentration` and whatever else the sampler reads. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** The rows of one client, in the order in which they are to be read before any shuffling. */
export type Partition = Int32Array;

/** A rule that divides a data set among clients. */
export interface Sampler {
  /** @throws DATA_INVALID when the partition cannot be filled as asked */
  partition(request: SamplerRequest): Partition;
  /** Schema of the `[data]` keys it reads; other keys must be let through. */
  readonly options?: ZodType;
  /** What it finds wrong with a configuration, once the size of the data is known. */
  readonly check?: CatalogEntry["check"];
}
