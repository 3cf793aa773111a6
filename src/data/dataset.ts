import type { Tokenizer } from "../tokenizers/index.js";

/** Rows handed to a model at once. */
export interface Batch {
  /** Row-major inputs, shape [rows, ...inputShape]. */
  readonly inputs: Float32Array;
  readonly inputShape: readonly number[];
  /** Class indices (classification) or targets (regression): one per row, or row-major as `labelShape` says. */
  readonly labels: Int32Array | Float32Array;
  /**
   * Shape of one row's labels; absent: one number. Of token rows [tokens]: the token that follows each place, or
   * `NO_LABEL` where none is asked for.
   */
  readonly labelShape?: readonly number[];
  /** Of token rows: the tokens of each row that are no padding, which stands at the end. */
  readonly lengths?: Int32Array;
  readonly length: number;
}

/** Stands in place of a token's label where a model is asked for nothing (PyTorch's `ignore_index`). */
export const NO_LABEL = -100;

/** Whose the rows are by nature: speakers, files, users. */
export interface RowGroups {
  /** Names, in the order in which the data has them. */
  readonly names: readonly string[];
  /** Per row the place of its group in `names`. */
  readonly of: Int32Array;
}

/** A part of an input that a client may lack: a sensor, a group of columns, a channel. */
export interface Modality {
  readonly name: string;
  /** Its places among the numbers of an input, row-major. */
  readonly places: Int32Array;
}

/** Rows with labels, addressed by index. */
export interface Dataset {
  readonly length: number;
  /** Shape of one input, for example [28, 28, 1]. */
  readonly inputShape: readonly number[];
  /** Number of classes; 0 for regression; of token rows the size of the vocabulary. */
  readonly classes: number;
  /** What the classes are called, where that is known. */
  readonly classNames?: readonly string[];
  /** The label of every row, by index; of token rows, whose labels come with a batch, their group. */
  readonly labels: Int32Array | Float32Array;
  /** Whose the rows are, where that is known. */
  readonly groups?: RowGroups;
  /** True where rows are tokens and `labels` therefore their group. */
  readonly tokens?: boolean;
  /** Of images: what each channel is where there is no picture, a black pixel; absent: 0. */
  readonly blank?: readonly number[];
  /** The parts of an input that a client may lack; absent: one, `rgb`, that is all of it. */
  readonly modalities?: readonly Modality[];
  /** Copies the rows of these indices, in their order. */
  batch(indices: ArrayLike<number>): Batch;
}

/** Where the data of a federation comes from. */
export interface Datasource {
  readonly trainset: Dataset;
  readonly testset: Dataset;
  /** Of text: what made the token ids. */
  readonly tokenizer?: Tokenizer;
  /** Of text: the folder that the tokenizer was loaded from; absent for one that has no files. */
  readonly tokenizerFolder?: string | undefined;
}
