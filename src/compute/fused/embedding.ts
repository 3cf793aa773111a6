import { tf } from "../tensorflow.js";
import { sizeOf } from "../tensorMemory.js";
import { type FusedKernel, isFused, registerFusedGradient, runFused } from "./fusedKernel.js";

/**
 * Rows of a table. Its gradient is added up row by row, without the transposes that a gather's has.
 * @param table [rows, width]
 * @param ids int32 [n], below the number of rows
 * @returns [n, width]
 */
export function embedding(table: tf.Tensor2D, ids: tf.Tensor1D): tf.Tensor2D {
  if (!isFused(EMBEDDING, table)) return tf.gather(table, ids);
  return runFused(EMBEDDING, [table, ids])[0] as tf.Tensor2D;
}

const EMBEDDING = "ElenchusEmbedding";

export const embeddingKernels: readonly FusedKernel[] = [
  {
    kernelName: EMBEDDING,
    run: ([table, ids], _attributes, { kernels, makeAll }) => {
      const [rows = 0, width = 0] = table!.shape;
      const count = sizeOf(ids!.shape);
      if (rows === 0 && count > 0) throw new RangeError("A table without rows has no row to give.");
      return makeAll([table!, ids!], [[count, width]], 0, ([out], _, [tableAt, idsAt]) => {
        kernels.gatherRows(out!, tableAt!, idsAt!, count, width);
      });
    },
  },
];

registerFusedGradient(EMBEDDING, [], (dy, [table, ids]) => [
  () => tf.unsortedSegmentSum(dy, ids as tf.Tensor1D, table!.shape[0]!),
]);
