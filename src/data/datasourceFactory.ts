import type { ZodType } from "zod";
import type { CatalogEntry, Config, DataFacts } from "../config/index.js";
import type { HubEnvironment } from "../hub/index.js";
import type { Datasource } from "./dataset.js";

/** What a datasource is asked for. */
export interface DatasourceRequest {
  /** The `[data]` table. */
  readonly options: Readonly<Record<string, unknown>>;
  /** `data.data_path` under `general.base_path`: the folder where files of data may be found. */
  readonly dataPath: string;
  /** The `[trainer]` table, of which a source of text reads the tokenizer's name. */
  readonly trainer?: Readonly<Record<string, unknown>>;
  /** The `[parameters]` tables, of which a source of text reads the length of the model's context. */
  readonly parameters?: Pick<Config["parameters"], "model">;
  /** Where files come from that are not on this machine; absent: as the environment says. */
  readonly hub?: HubEnvironment;
}

/** What of a run a datasource may need beside its own table. */
export type DatasourceSurroundings = Pick<DatasourceRequest, "trainer" | "parameters" | "hub">;

/**
 * Makes a datasource. It runs in every process that needs rows, so it must give the same rows each time.
 */
export interface DatasourceFactory {
  (request: DatasourceRequest): Datasource | Promise<Datasource>;
  /** Schema of the `[data]` keys it reads; other keys must be let through. */
  readonly options?: ZodType;
  /** Keys of other sections that it reads, by section: `{ trainer: { tokenizer_name } }`. */
  readonly otherKeys?: CatalogEntry["otherKeys"];
  /** Whether its rows are tokens, where that is known without loading them. */
  readonly tokens?: boolean;
  /** What it finds wrong with a configuration before it loads anything. */
  readonly check?: CatalogEntry["check"];
  /** Its size, where that is known without loading it: `check` then says at which line partitions cannot be filled. */
  readonly facts?: DataFacts;
}
