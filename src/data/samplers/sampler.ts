import type { ZodType } from "zod";
import type { CatalogEntry } from "../../config/index.js";
import type { Dataset } from "../dataset.js";

/** What a rule needs to know to divide `dataset` among all logical clients. */
export interface PlanRequest {
  readonly dataset: Dataset;
  /** What its rows are for, for messages. Default `train`. */
  readonly purpose?: "train" | "test";
  readonly totalClients: number;
  /** `data.random_seed`; a sampler derives its generators from it. */
  readonly seed: number;
  /** The `[data]` table: `partition_size`, `concentration` and whatever else the sampler reads. */
  readonly options: Readonly<Record<string, unknown>>;
  /** `algorithm.total_silos`, where it is given. */
  readonly silos?: number | undefined;
}

/** What a sampler is asked: which rows of `dataset` does one logical client hold. */
export interface SamplerRequest extends PlanRequest {
  /** Logical client, from 1 to `totalClients`. */
  readonly clientId: number;
}

/** The rows of one client, in the order in which they are to be read before any shuffling. */
export type Partition = Int32Array;

/** A rule that divides a data set among clients. */
export interface Sampler {
  /** @throws DATA_INVALID when the partition cannot be filled as asked */
  partition(request: SamplerRequest): Partition;
  /**
   * The same for many clients: what does not depend on the client is done once. Absent: every client is asked for by
   * itself. It must give each client what `partition` gives.
   */
  plan?(request: PlanRequest): (clientId: number) => Partition;
  /** The parts of an input that a client has, by the names in `dataset.modalities`; absent: all. */
  modalities?(request: SamplerRequest): readonly string[];
  /**
   * The most rows that it can give a client, whatever the data, as far as the `[data]` table alone says; undefined where
   * it does not. Clients of a run may hold data that the server never sees.
   */
  mostRows?(options: PlanRequest["options"]): number | undefined;
  /** Schema of the `[data]` keys it reads; other keys must be let through. */
  readonly options?: ZodType;
  /** Keys of other sections that it reads, by section. */
  readonly otherKeys?: CatalogEntry["otherKeys"];
  /** What it finds wrong with a configuration, once the size of the data is known. */
  readonly check?: CatalogEntry["check"];
}

/** A sampler from a plan, which is then made anew where a single client is asked for. */
export function planned(
  plan: (request: PlanRequest) => (clientId: number) => Partition,
  rest: Omit<Sampler, "partition" | "plan"> = {},
): Sampler {
  return { ...rest, plan, partition: ({ clientId, ...request }) => plan(request)(clientId) };
}
