import type { Clock, Logger } from "../../base/index.js";
import type { ServiceSettings } from "../../config/index.js";
import type { AccessTokens } from "../access/accessTokens.js";
import type { Storage } from "../storage/storage.js";

/** What the routes work with. */
export interface ServiceContext {
  readonly settings: ServiceSettings;
  readonly tokens: AccessTokens;
  readonly storage: Storage;
  readonly logger: Logger;
  readonly clock: Clock;
}
