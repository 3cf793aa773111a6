/**
 * What became of a row, step by step. `preprocessed`: what the model is asked; `generated`: what it answered;
 * `postprocessed`: what scorers see; `scored:<label>`: what a scorer said of it; `failed`: where and why it came no
 * further; `unscored:<label>`: why a scorer could not judge it. Rows that a scorer judged with other params are another
 * stage, so that an evaluation can be scored anew without asking the model again.
 */
export type Stage =
  | "preprocessed"
  | "generated"
  | "postprocessed"
  | "failed"
  | `scored:${string}`
  | `unscored:${string}`;

/** A row of a stage: its place in the data set, from 0, and a JSON value. */
export interface StageRow {
  readonly index: number;
  readonly row: unknown;
}

/**
 * Keeps the rows of one evaluation, stage by stage, so that it can go on where it was interrupted. Rows are only
 * appended, never changed.
 */
export interface StageStore {
  has(stage: Stage, index: number): boolean | Promise<boolean>;
  /**
   * Keeps a row; resolves when it is safe from the end of the process. A row that is there already stays as it is.
   * Rows come in any order, several at once.
   * @param row plain JSON
   */
  append(stage: Stage, index: number, row: unknown): Promise<void>;
  /** The rows of a stage by ascending index, each as it is needed; those appended meanwhile may be among them. */
  rows(stage: Stage): AsyncIterable<StageRow>;
}
