import type { TableRow } from "../../data/index.js";
import type { Gold } from "../document.js";
import type { Metric } from "../metrics/metric.js";
import type { TaskFacts } from "../task.js";

/** A task as EleutherAI's harness describes it: what is asked of a row, and how. */
export interface HarnessSpec {
  /** Without the dialect. */
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly repositories: readonly string[];
  readonly config?: string;
  readonly revision?: string;
  readonly splits: HarnessSplits;
  /** Examples where nobody says how many. Default 0. */
  readonly shots?: number;
  readonly shotsFixed?: boolean;
  readonly sampler?: HarnessSampler;
  readonly rules?: PromptRules;
  readonly metrics: readonly Metric[];
  readonly facts?: TaskFacts;
  /** Rows that belong to the task, where a split holds those of several. */
  readonly belongs?: (row: TableRow) => boolean;
  /** @throws DATA_INVALID */
  question(row: TableRow, place: { split: "evaluated" | "examples"; row: number }): HarnessQuestion;
}

/** The splits of a data set by the part they play. The test split is evaluated, else the validation split. */
export interface HarnessSplits {
  readonly training?: string;
  readonly validation?: string;
  readonly test?: string;
  readonly fewshot?: string;
}

/** What is asked of a row. */
export interface HarnessQuestion {
  /** What stands before the answer; several where contexts differ and the answer does not. */
  readonly contexts: readonly string[];
  /** The context as an example shows it. Default: the first. */
  readonly exampleContext?: string;
  /** The answer as an example shows it. */
  readonly exampleAnswer: string;
  /** What a model answers to. */
  readonly asks: readonly HarnessAsk[];
  readonly gold: Gold;
  /** Choices as length normalisation measures them. */
  readonly choices?: readonly string[];
}

/** One way of asking. `choices` come behind the target delimiter, `texts` as they stand. */
export type HarnessAsk =
  | { readonly kind: "choices"; readonly choices: readonly string[] }
  | { readonly kind: "texts"; readonly continuations: readonly string[] }
  | { readonly kind: "rolling" }
  | { readonly kind: "generate"; readonly stop: readonly string[]; readonly maxNewTokens: number };

/** A row and its place in its split. */
export interface PlacedDoc {
  readonly doc: number;
  readonly row: TableRow;
}

/** `random`: drawn anew for each document. `first`: the first rows, for all. */
export type HarnessSampler = "random" | "first";

/** What a task puts around its questions. */
export interface PromptRules {
  /** What stands in front of everything, with its own line ends. */
  readonly preamble?: (row: TableRow) => string;
  /** Between question and answer. Default a blank. */
  readonly targetDelimiter?: string;
  /** Behind an example. Default an empty line. */
  readonly fewshotDelimiter?: string;
}
