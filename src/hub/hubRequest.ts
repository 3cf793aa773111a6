import type { Clock, Logger } from "../base/index.js";

/** What is fetched from a hub: all files of a repository, or those named. */
export interface HubRequest {
  readonly kind: "model" | "dataset";
  /** A local folder, or a repository's name: `name` or `owner/name`. */
  readonly name: string;
  /** Branch, tag or commit. Default `main`. */
  readonly revision?: string;
  /** Files that must be there, by their path in the repository. */
  readonly files?: readonly string[];
  /** Files that are taken if they are there: shell patterns, `*` also matches `/`. With neither: all files. */
  readonly patterns?: readonly string[];
  /** Asks the hub which commit a branch stands at, even where the cache has the files. Default false. */
  readonly refresh?: boolean;
}

/** Where files come from and where they go. */
export interface HubSettings {
  /** Address of the hub, without a slash at the end. */
  readonly endpoint: string;
  readonly token?: string | undefined;
  /** Never asks the network. */
  readonly offline: boolean;
  /** Laid out as Hugging Face's own clients do, so that both use the same files. */
  readonly cacheFolder: string;
  /** Attempts per request without progress. Default 5. */
  readonly attempts?: number;
  /** First pause between attempts, doubled each time, in milliseconds. Default 1,000. */
  readonly firstPause?: number;
  /** Longest pause, also the longest `Retry-After` that is waited for, in milliseconds. Default 60,000. */
  readonly longestPause?: number;
  /** A transfer of which nothing arrives for so long is cut and taken up again, in milliseconds. Default 30,000. */
  readonly stallDeadline?: number;
}

/** How far a download is. Bytes. */
export interface HubProgress {
  readonly file: string;
  readonly received: number;
  /** Absent where the hub does not say. */
  readonly total: number | undefined;
}

/** What the hub's rooms need of the world. */
export interface HubEnvironment {
  readonly settings: HubSettings;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly fetch?: typeof fetch;
  /** True where files are fetched from plain servers, by `fetchFile`: what a hub's user may do is then no help. */
  readonly plain?: boolean;
  readonly progress?: (progress: HubProgress) => void;
  readonly signal?: AbortSignal;
}

/** Files on this machine. */
export interface HubFiles {
  /** The folder they lie in, laid out as in the repository. */
  readonly folder: string;
  readonly source: "local" | "cache" | "download";
  /** The commit; absent for a local folder. */
  readonly commit: string | undefined;
  /** Path in the repository -> absolute path, by name. */
  readonly files: ReadonlyMap<string, string>;
}
