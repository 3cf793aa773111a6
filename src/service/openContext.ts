import { join } from "node:path";
import { type Clock, type Logger, silentLogger, systemClock } from "../base/index.js";
import type { ServiceSettings } from "../config/index.js";
import type { ModelSurroundings } from "../language/index.js";
import { openScoringThreads, usualThreads } from "../scoring/index.js";
import type { DatasetSurroundings } from "../tasks/index.js";
import { AccessTokens } from "./access/accessTokens.js";
import { DatasetStore } from "./datasets/datasetStore.js";
import { BenchmarkStore } from "./evaluation/benchmarkStore.js";
import { FileStore } from "./files/fileStore.js";
import { ScoringFunctionStore } from "./scoring/scoringFunctions.js";
import type { ServiceMeans } from "./serviceMeans.js";
import type { ModelPool } from "./serving/modelPool.js";
import { allowsPrivate, serviceModels } from "./serving/serviceModels.js";
import { openStorage } from "./storage/index.js";

/** What the service takes from the world. */
export interface ServiceWorld {
  /** Tokens and keys of servers stand in it. Default: none. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly logger?: Logger;
  readonly clock?: Clock;
  /** What computes models, and which hub is asked. */
  readonly models?: Pick<ModelSurroundings, "hub" | "engine" | "backend" | "threads">;
  /** In the place of the models that references open. */
  readonly pool?: ModelPool;
}

/** All that the service's routes and jobs work with. To be closed. */
export interface OpenedContext extends ServiceMeans {
  close(): Promise<void>;
}

/**
 * Opens what the settings name.
 * @throws CONFIG_VALUE for a token that cannot be had; STORAGE_FAILED; CONFIG_INVALID for a model that is none
 */
export async function openContext(
  settings: ServiceSettings,
  world: ServiceWorld = {},
): Promise<OpenedContext> {
  const { environment = {}, logger = silentLogger, clock = systemClock, models: computing } = world;
  const tokens = new AccessTokens(settings.service.tokens, environment);
  const models =
    world.pool ?? serviceModels({ settings, logger, surroundings: { ...computing, environment } });
  const storage = await openStorage({
    database: settings.service.database,
    data_dir: settings.paths.storage,
  });
  const reach = datasetSurroundings(settings, computing, logger);
  const { service } = settings;
  const threads = openScoringThreads({
    threads: service.scoring_threads ?? usualThreads(),
    deadline: service.row_deadline,
    maxCharacters: service.max_row_characters,
    settings: { deadline: "service.row_deadline", maxCharacters: "service.max_row_characters" },
    logger,
  });
  const files = new FileStore(storage);
  const datasets = new DatasetStore({
    storage,
    files,
    surroundings: reach,
    maxRows: settings.service.max_dataset_rows,
  });
  return {
    ...{ settings, tokens, storage, files, datasets, models, threads, reach, logger, clock },
    functions: new ScoringFunctionStore(storage),
    benchmarks: new BenchmarkStore(storage),
    async close() {
      await threads.close();
      await models.close();
      await storage.close();
    },
  };
}

/** What data sets of requests may reach. */
function datasetSurroundings(
  settings: ServiceSettings,
  computing: ServiceWorld["models"],
  logger: Logger,
): DatasetSurroundings {
  return {
    files: { folder: settings.paths.data },
    download: {
      allowPrivate: allowsPrivate(settings),
      largestFile: settings.service.max_upload_bytes,
    },
    ...(settings.service.dataset_cache_bytes > 0 && {
      cache: {
        folder: join(settings.paths.storage, "downloads"),
        bytes: settings.service.dataset_cache_bytes,
        logger,
      },
    }),
    ...(computing?.hub && { hub: computing.hub }),
  };
}
