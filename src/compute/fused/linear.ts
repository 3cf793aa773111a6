import { tf } from "../tensorflow.js";
import { type FusedKernel, isFused, registerFusedGradient, runFused } from "./fusedKernel.js";

/** How a dense weight lies: [outputs, inputs], as PyTorch has it, or [inputs, outputs], as GPT-2 has it. */
export type WeightOrder = "out-in" | "in-out";

/**
 * x weight + bias. A gradient is computed only for what is asked for, so frozen weights cost nothing.
 * @param x [rows, inputs]
 * @param bias [outputs]
 * @returns [rows, outputs]
 */
export function linear(
  x: tf.Tensor2D,
  weight: tf.Tensor2D,
  order: WeightOrder,
  bias?: tf.Tensor | undefined,
): tf.Tensor2D {
  const turned = order === "out-in";
  if (!bias || !isFused(LINEAR, x, weight, bias)) {
    const product: tf.Tensor2D = tf.matMul(x, weight, false, turned);
    return bias ? tf.add(product, bias) : product;
  }
  return runFused(LINEAR, [x, weight, bias], { turned })[0] as tf.Tensor2D;
}

const LINEAR = "ElenchusLinear";

export const linearKernels: readonly FusedKernel[] = [
  {
    kernelName: LINEAR,
    run: (tensors, { turned }, { kernels, makeAll }) => {
      const [rows = 0, inputs = 0] = tensors[0]!.shape;
      const outputs = tensors[2]!.shape[0] ?? 0;
      const [step, column] = turned === true ? [4, inputs * 4] : [outputs * 4, 4];
      return makeAll(tensors, [[rows, outputs]], kernels.matMulScratch(), ([out], scratch, addresses) => {
        const [x, weight, bias] = addresses as [number, number, number];
        const sizes = [rows, outputs, inputs] as const;
        kernels.matMul(out!, outputs * 4, x, weight, ...sizes, inputs * 4, 4, step, column, false, scratch);
        kernels.addBias(out!, bias, rows, outputs);
      });
    },
  },
];

registerFusedGradient(LINEAR, [], (dy, [x, weight], { turned }) => [
  () => tf.matMul(dy, weight!, false, turned !== true),
  () => (turned === true ? tf.matMul(dy, x!, true) : tf.matMul(x!, dy, true)),
  () => tf.sum(dy, 0),
]);
