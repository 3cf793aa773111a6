import { tf } from "../../../src/compute/index.js";

/** The numbers of a tensor. */
export function numbers(tensor: tf.Tensor): number[] {
  return [...tensor.dataSync()];
}

/** A plane of one channel as a batch of one image. */
export function image(rows: readonly (readonly number[])[]): tf.Tensor4D {
  return tf.tensor4d([...rows.flat()], [1, rows.length, rows[0]!.length, 1]);
}

/** A filter from one channel to one. */
export function filter(rows: readonly (readonly number[])[]): tf.Tensor4D {
  return tf.tensor4d([...rows.flat()], [rows.length, rows[0]!.length, 1, 1]);
}
