/** Rows handed to a model at once. */
export interface Batch {
  /** Row-major inputs, shape [rows, ...inputShape]. */
  readonly inputs: Float32Array;
  readonly inputShape: readonly number[];
  /** Class indices (classification) or targets (regression), one per row. */
  readonly labels: Int32Array | Float32Array;
  readonly length: number;
}

/** Rows with labels, addressed by index. */
export interface Dataset {
  readonly length: number;
  /** Shape of one input, for example [28, 28, 1]. */
  readonly inputShape: readonly number[];
  /** Number of classes; 0 for regression. */
  readonly classes: number;
  /** The label of every row, by index. */
  readonly labels: Int32Array | Float32Array;
  /** Copies the rows of these indices, in their order. */
  batch(indices: ArrayLike<number>): Batch;
}

/** Where the data of a federation comes from. */
export interface Datasource {
  readonly trainset: Dataset;
  readonly testset: Dataset;
}
