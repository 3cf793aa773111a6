import type { TensorInfo } from "@tensorflow/tfjs-core";
import { tf } from "../tensorflow.js";
import { sizeOf } from "../tensorMemory.js";
import { finishFused, isRowBias } from "./fused.js";
import type { Attributes, Repair, RepairTools } from "./repair.js";

/**
 * Stock: only untransposed single products are fast (28 GFLOP/s); transposed ones, which every gradient needs,
 * run at 1 to 2.3 and batched ones, which every attention needs, at 2.2.
 */
export const matMulRepair: Repair = {
  kernelName: "BatchMatMul",
  run: ({ a, b }, attributes, tools) => multiply(a!, b!, undefined, attributes, tools),
};

/** Stock: as above, and a bias of rank 1 only. */
export const fusedMatMulRepair: Repair = {
  kernelName: "_FusedMatMul",
  run: ({ a, b, bias, preluActivationWeights }, attributes, tools) => {
    const columns = b!.shape.at(attributes.transposeB === true ? -2 : -1) ?? 1;
    const row = isRowBias(bias, columns) ? bias : undefined;
    const product = multiply(a!, b!, row, attributes, tools);
    return finishFused(product, { bias: row ? undefined : bias, preluActivationWeights }, attributes, tools);
  },
};

function multiply(
  a: TensorInfo,
  b: TensorInfo,
  bias: TensorInfo | undefined,
  attributes: Attributes,
  { memory }: RepairTools,
): TensorInfo {
  const transposeA = attributes.transposeA === true;
  const transposeB = attributes.transposeB === true;
  if (a.dtype !== "float32" || b.dtype !== "float32") {
    throw new Error(`matMul takes float32 tensors on the wasm back end, got ${a.dtype} and ${b.dtype}.`);
  }
  const [aRows = 1, aColumns = 1] = a.shape.slice(-2);
  const [bRows = 1, bColumns = 1] = b.shape.slice(-2);
  const [m, k] = transposeA ? [aColumns, aRows] : [aRows, aColumns];
  const [inner, n] = transposeB ? [bColumns, bRows] : [bRows, bColumns];
  if (k !== inner) {
    throw new Error(
      `matMul of [${a.shape}] and [${b.shape}] (transposeA ${transposeA}, transposeB ${transposeB}): inner sizes ${k} and ${inner} differ.`,
    );
  }
  const aBatch = a.shape.slice(0, -2);
  const bBatch = b.shape.slice(0, -2);
  const batch = tf.broadcast_util.assertAndGetBroadcastShape(aBatch, bBatch);
  const [aRow, aStep] = transposeA ? [4, aColumns * 4] : [aColumns * 4, 4];
  const [bStep, bColumn] = transposeB ? [4, bColumns * 4] : [bColumns * 4, 4];

  const { kernels } = memory;
  // All rows of a stack that meet the same matrix make one tall product.
  const tall = sizeOf(bBatch) === 1 && !transposeA;
  const rows = tall ? sizeOf(batch) * m : m;
  const aIndex = tall ? [0] : broadcastIndices(aBatch, batch);
  const bIndex = tall ? [0] : broadcastIndices(bBatch, batch);
  const inputs = bias ? [a, b, bias] : [a, b];
  return memory.make(inputs, [...batch, m, n], kernels.matMulScratch(), (out, scratch, aAt, bAt, biasAt) => {
    aIndex.forEach((aPlace, index) => {
      const into = out + index * m * n * 4;
      const aFrom = aAt! + aPlace * m * k * 4;
      const bFrom = bAt! + bIndex[index]! * k * n * 4;
      kernels.matMul(into, n * 4, aFrom, bFrom, rows, n, k, aRow, aStep, bStep, bColumn, false, scratch);
    });
    if (bias) kernels.addBias(out, biasAt!, sizeOf(batch) * m, n);
  });
}

/** For every matrix of a broadcast stack, which of the smaller stack's it is. */
function broadcastIndices(own: readonly number[], full: readonly number[]): number[] {
  const missing = full.length - own.length;
  let indices = [0];
  full.forEach((extent, axis) => {
    const size = own[axis - missing] ?? 1;
    indices = indices.flatMap((index) =>
      Array.from({ length: extent }, (_, place) => index * size + (size === 1 ? 0 : place)),
    );
  });
  return indices;
}
