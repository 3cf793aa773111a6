import type { TableRow } from "../../data/index.js";
import type { Metric } from "../metrics/metric.js";
import type { TaskFacts } from "../task.js";

/** A task as lighteval describes it: the record that a row becomes, and how it is asked. */
export interface LightevalSpec {
  /** Without the dialect. */
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly repositories: readonly string[];
  readonly config?: string;
  readonly revision?: string;
  /** The splits that the data set has. */
  readonly splits: readonly string[];
  readonly evaluated: readonly string[];
  /** Default: of the others the first whose name contains `train`, then `dev`, `valid`, `default`; else `evaluated`. */
  readonly fewshotSplit?: string;
  readonly select: ExampleSelection;
  readonly ask: LightevalAsk;
  readonly metrics: readonly Metric[];
  readonly facts?: TaskFacts;
  /** Undefined: the row is left out. @throws DATA_INVALID */
  record(row: TableRow, place: { split: "evaluated" | "examples"; row: number }): LightevalRecord | undefined;
}

/** How examples are chosen; each is described where it is done. */
export type ExampleSelection =
  | "balanced"
  | "sequential"
  | "random"
  | "random_sampling"
  | "random_sampling_from_train";

/** What a model is asked. */
export type LightevalAsk =
  | { readonly kind: "choices" }
  | { readonly kind: "rolling" }
  | { readonly kind: "generate"; readonly stop: readonly string[]; readonly maxNewTokens: number };

/** What a row becomes. */
export interface LightevalRecord {
  readonly query: string;
  /** With what stands between query and choice. */
  readonly choices: readonly string[];
  /** Place of the right choice, or of several; below zero counted from the end. */
  readonly gold: number | readonly number[];
  /**
   * Said once before examples and query. The query loses it, and is then trimmed, also where the instruction is an
   * empty text. Undefined: there is none, and the query stays as it is.
   */
  readonly instruction?: string;
  /** What balanced selection balances. Default: the right choice. */
  readonly sortingClass?: string;
}

/** A record and where its row stands. */
export interface PlacedRecord {
  readonly doc: number;
  readonly row: TableRow;
  readonly record: LightevalRecord;
}
