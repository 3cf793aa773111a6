import { tf } from "../tensorflow.js";
import { type FusedKernel, isFused, registerFusedGradient, runFused } from "./fusedKernel.js";

/**
 * Cross entropy of tokens: log(sum(exp(logits))) - logits[label], natural logarithm.
 * @param logits [n, vocabulary]
 * @param labels int32 [n], -100 where there is no label
 * @returns [n], zero where there is no label; differentiable by the logits
 */
export function tokenCrossEntropy(logits: tf.Tensor2D, labels: tf.Tensor1D): tf.Tensor1D {
  if (!isFused(CROSS_ENTROPY, logits) || labels.dtype !== "int32") return composed(logits, labels);
  return runFused(CROSS_ENTROPY, [logits, labels])[0] as tf.Tensor1D;
}

function composed(logits: tf.Tensor2D, labels: tf.Tensor1D): tf.Tensor1D {
  return tf.tidy(() => {
    // No label stands for any id, so its row of `chosen` is zero.
    const ids = tf.range(0, logits.shape[1], 1, "int32");
    const chosen = tf.cast(tf.equal(tf.expandDims(labels, 1), ids), "float32");
    return tf.neg(tf.sum(tf.mul(tf.logSoftmax(logits), chosen), 1)) as tf.Tensor1D;
  });
}

const CROSS_ENTROPY = "ElenchusCrossEntropy";
const GRADIENT = "ElenchusCrossEntropyGradient";

export const crossEntropyKernels: readonly FusedKernel[] = [
  {
    kernelName: CROSS_ENTROPY,
    run: (inputs, _attributes, { kernels, makeAll }) => {
      const [rows = 0, vocabulary = 0] = inputs[0]!.shape;
      return makeAll(inputs, [[rows], [rows, 2]], 0, ([loss, sums], _, [logits, labels]) => {
        kernels.crossEntropy(loss!, sums!, logits!, labels!, rows, vocabulary);
      });
    },
  },
  {
    kernelName: GRADIENT,
    run: (inputs, _attributes, { kernels, makeAll }) => {
      const { shape } = inputs[0]!;
      const [rows = 0, vocabulary = 0] = shape;
      return makeAll(inputs, [shape], 0, ([out], _, [logits, labels, sums, dLoss]) => {
        kernels.crossEntropyGradient(out!, logits!, labels!, sums!, dLoss!, rows, vocabulary);
      });
    },
  },
];

registerFusedGradient(CROSS_ENTROPY, [false, true], (dLoss, [logits, labels, sums]) => [
  () => runFused(GRADIENT, [logits, labels, sums, dLoss])[0]!,
]);
