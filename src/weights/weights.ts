/** Element types that weights may have. */
export type WeightDtype = "float32" | "int32" | "uint8";

/** The typed array that holds elements of a dtype. */
export type WeightData = Float32Array | Int32Array | Uint8Array;

/** One named array of a model: row-major, `data.length` equal to the product of `shape`. */
export interface WeightArray {
  readonly dtype: WeightDtype;
  readonly shape: readonly number[];
  readonly data: WeightData;
}

/** The weights of a model by name, in the model's own order. They cross every room's door in this form. */
export type Weights = ReadonlyMap<string, WeightArray>;
