import type { TableRow } from "../data/index.js";
import type { TaskRequest } from "./request.js";

/** What is asked of one row. */
export interface TaskDocument {
  /** The row among the evaluated ones, from 0. */
  readonly doc: number;
  readonly row: TableRow;
  readonly requests: readonly TaskRequest[];
  /** The right one among `choices`, several of them, or texts; null where something else decides. */
  readonly gold: Gold;
  /** What is chosen from, as length normalisation measures it. */
  readonly choices: readonly string[];
  /** Rows of the pool that serve as examples, in their order. */
  readonly fewshot: readonly number[];
}

/** What is right. */
export type Gold = number | readonly number[] | string | readonly string[] | null;
