import type { Clock, Logger } from "../base/index.js";
import type { ServiceSettings } from "../config/index.js";
import type { ScoringThreads } from "../scoring/index.js";
import type { DatasetSurroundings } from "../tasks/index.js";
import type { AccessTokens } from "./access/accessTokens.js";
import type { DatasetStore } from "./datasets/datasetStore.js";
import type { BenchmarkStore } from "./evaluation/benchmarkStore.js";
import type { FileStore } from "./files/fileStore.js";
import type { ScoringFunctionStore } from "./scoring/scoringFunctions.js";
import type { ModelPool } from "./serving/modelPool.js";
import type { Storage } from "./storage/index.js";

/** What the service works with, whether it answers requests or does jobs. */
export interface ServiceMeans {
  readonly settings: ServiceSettings;
  readonly tokens: AccessTokens;
  readonly storage: Storage;
  readonly files: FileStore;
  readonly datasets: DatasetStore;
  readonly functions: ScoringFunctionStore;
  readonly benchmarks: BenchmarkStore;
  readonly models: ModelPool;
  /** Where rows are judged. */
  readonly threads: ScoringThreads;
  /** What data sets may reach. */
  readonly reach: DatasetSurroundings;
  readonly logger: Logger;
  readonly clock: Clock;
}
