import type { TableRow } from "../data/index.js";
import type { GenerationOptions, LogLikelihoodOptions } from "../language/index.js";
import type { TaskDocument } from "./document.js";
import type { Metric, TaskAnswers } from "./metrics/metric.js";

/**
 * A benchmark: where its rows are, what of a row is asked, and how the answers are scored. Two systems that ask or
 * score differently are two tasks, however alike their names.
 */
export interface Task {
  /** With its dialect: `harness:arc_easy`. */
  readonly name: string;
  /** Prefix of the name: `lighteval`, `harness`, `core`, or a user's own. */
  readonly dialect: string;
  /** One line for `elenchus list tasks`. */
  readonly description: string;
  /** Changes whenever a score of it would. */
  readonly version: string;
  readonly data: TaskData;
  /** Examples in front of every question where nobody says how many. */
  readonly shots: number;
  /** True where another number of examples is not taken: the examples are part of the question, or make no sense. */
  readonly shotsFixed?: boolean;
  /** Measured for each document, in this order. */
  readonly metrics: readonly Metric[];
  /** What else there is to say of all answers; plain JSON. Metrics are numbers, this is what explains them. */
  readonly facts?: TaskFacts | undefined;
  /** How continuations are tokenised for this task. Default: `LogLikelihoodOptions`. */
  readonly scoring?: Pick<LogLikelihoodOptions, "boundary" | "moveSpace" | "bos" | "specialTokens">;
  /** What gives way where a prompt and its answer do not fit. Default: `GenerationOptions`. */
  readonly generation?: Pick<GenerationOptions, "givesWay">;
  /**
   * What is asked, in the order of evaluation. Few-shot draws may depend on all documents before, so a caller who
   * wants some of them takes all and chooses.
   * @throws DATA_INVALID naming the row that does not fit, or where there are too few rows for the examples
   */
  documents(rows: TaskRows, options: DocumentOptions): Iterable<TaskDocument>;
}

/** Says more of documents and of their answers, as metrics see them. */
export type TaskFacts = (
  answered: readonly { readonly document: TaskDocument; readonly answers: TaskAnswers }[],
) => Readonly<Record<string, unknown>>;

/** Where the rows of a task are. */
export interface TaskData {
  /** Data sets on a hub that hold these rows; the first is asked for, the others are known to be the same. */
  readonly repositories: readonly string[];
  readonly config: string | undefined;
  /** Commit or tag, where the task needs a certain one. */
  readonly revision?: string | undefined;
  /** Splits that are evaluated, one behind the other. */
  readonly evaluated: readonly string[];
  /** Splits to take examples from: the first that there is. */
  readonly pool: readonly string[];
  /** Rows of a split that come from the task itself: nothing is looked for. Undefined: it has no such split. */
  readonly rows?:
    | ((split: string) => Promise<readonly TableRow[]> | readonly TableRow[] | undefined)
    | undefined;
  /** A path inside a bundle of files, for tasks that come as one. */
  readonly bundleFile?: string | undefined;
}

/** The rows of a task. */
export interface TaskRows {
  readonly evaluated: readonly TableRow[];
  /** Rows to take examples from; the very same list as `evaluated` where there are no others. */
  readonly pool: readonly TableRow[];
}

/** How many documents are asked about, and how. */
export interface DocumentOptions {
  /** Examples in front of each question. */
  readonly shots: number;
  /** The first so many documents, chosen as the dialect does; below 1 a share of all. All when absent. */
  readonly limit?: number | undefined;
  /** Seed of the examples. Default: the dialect's own. */
  readonly seed?: number | undefined;
  /** What stands in front of everything. */
  readonly systemPrompt?: string | undefined;
  /** Questions are asked as turns of a chat. Default: as plain text. */
  readonly chat?: ChatForm | undefined;
}

/** How a question becomes turns. */
export interface ChatForm {
  /** Whether examples are turns of their own. Default true; else all is one turn of the user. */
  readonly fewshotAsTurns?: boolean | undefined;
}
