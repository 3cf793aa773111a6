import type { Clock, Logger } from "../../base/index.js";
import type { ServiceSettings } from "../../config/index.js";
import type { DatasetSurroundings } from "../../tasks/index.js";
import type { AccessTokens } from "../access/accessTokens.js";
import type { BatchStore } from "../batches/batchStore.js";
import type { DatasetStore } from "../datasets/datasetStore.js";
import type { BenchmarkStore } from "../evaluation/benchmarkStore.js";
import type { FileStore } from "../files/fileStore.js";
import type { JobService } from "../jobs/index.js";
import type { ScoringFunctionStore } from "../scoring/scoringFunctions.js";
import type { ModelPool } from "../serving/modelPool.js";
import type { Storage } from "../storage/index.js";

/** What the routes work with. */
export interface ServiceContext {
  readonly settings: ServiceSettings;
  readonly tokens: AccessTokens;
  readonly storage: Storage;
  readonly files: FileStore;
  readonly datasets: DatasetStore;
  readonly functions: ScoringFunctionStore;
  readonly benchmarks: BenchmarkStore;
  readonly batches: BatchStore;
  readonly jobs: JobService;
  readonly models: ModelPool;
  /** What data sets may reach. */
  readonly reach: DatasetSurroundings;
  readonly logger: Logger;
  readonly clock: Clock;
}
