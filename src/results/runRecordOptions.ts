import type { Clock, Logger } from "../base/index.js";
import type { RowLayout } from "./flattenRow.js";
import type { ParentCheckpoint } from "./manifest.js";
import type { Mirror } from "./mirrors/index.js";

/** What a record is made from. */
export interface RunRecordOptions {
  /** Folder of all runs: `results.result_path`, or `<base_path>/results`. */
  readonly resultPath: string;
  readonly runId: string;
  /** Name of the configuration, by which `--resume` finds the newest run. Default: the run id. */
  readonly name?: string;
  /** The resolved configuration, or any JSON value; written into `run.json` without `server.token`. */
  readonly config?: unknown;
  /** `results.types`: a comma string or a list. Default `round, accuracy, elapsed_time`. */
  readonly types?: string | readonly string[];
  /** Names of all evaluators in table order. With more than one, columns carry names. */
  readonly evaluators?: readonly string[];
  /** What evaluator types declare of their metrics, for `run.json`. */
  readonly declared?: RowLayout["declared"];
  /** The compute back end, when it is known already. */
  readonly backend?: string | null;
  /** Modules of the user's that every process of the run loads. Default none. */
  readonly imports?: readonly string[];
  /** The checkpoint of another run that this one begins from. */
  readonly parent?: ParentCheckpoint | null;
  /** Other places that get every number of every row. Default none. */
  readonly mirrors?: readonly Mirror[];
  /** `general.project` and `general.group`, under which mirrors file the run. Default `general`, `default`. */
  readonly project?: string | undefined;
  readonly group?: string | undefined;
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** Flush every row to the disk. Default true; false is for benchmarks. */
  readonly sync?: boolean;
}
