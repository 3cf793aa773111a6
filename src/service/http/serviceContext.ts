import type { Clock, Logger } from "../../base/index.js";
import type { ServiceSettings } from "../../config/index.js";
import type { AccessTokens } from "../access/accessTokens.js";
import type { DatasetStore } from "../datasets/datasetStore.js";
import type { FileStore } from "../files/fileStore.js";
import type { ModelPool } from "../serving/modelPool.js";
import type { Storage } from "../storage/index.js";

/** What the routes work with. */
export interface ServiceContext {
  readonly settings: ServiceSettings;
  readonly tokens: AccessTokens;
  readonly storage: Storage;
  readonly files: FileStore;
  readonly datasets: DatasetStore;
  readonly models: ModelPool;
  readonly logger: Logger;
  readonly clock: Clock;
}
