import type { LogLevel } from "../base/index.js";

/** What a user asks for when a run is started, from the command line or from code. */
export interface RunRequest {
  /** Path of a TOML file, or an object with its keys. */
  readonly config: string | object;
  /** Modules that every process of the run loads first. */
  readonly imports: readonly string[];
  /** Modules this process must load too; the caller's own program is loaded already. */
  readonly load: readonly string[];
  readonly runId?: string | undefined;
  readonly resume?: boolean | undefined;
  readonly base?: string | undefined;
  readonly set?: readonly string[] | undefined;
  readonly seed?: number | undefined;
  readonly lenient?: boolean | undefined;
  /** True for a configuration from `run.json`: it writes out every key, and those without effect are nobody's mistake. */
  readonly resolved?: boolean | undefined;
  readonly log: LogLevel;
  /** `run` starts client processes, unless the configuration disables them; `server` leaves that to others. */
  readonly launchClients: boolean;
}
