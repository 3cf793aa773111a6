import { tf } from "../tensorflow.js";
import { type FusedKernel, isFused, registerFusedGradient, runFused } from "./fusedKernel.js";

/** The label of a place that has none. */
const NO_LABEL = -100;

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
    const labelled = tf.notEqual(labels, NO_LABEL);
    const known = tf.where(labelled, labels, tf.zerosLike(labels));
    // Told to make floats, the wasm back end writes whole numbers into them.
    const chosen = tf.cast(tf.oneHot(known, logits.shape[1]), "float32");
    const own = tf.sum(tf.mul(tf.logSoftmax(logits), chosen), 1);
    return tf.neg(tf.mul(own, tf.cast(labelled, "float32"))) as tf.Tensor1D;
  });
}

const CROSS_ENTROPY = "ElenchusCrossEntropy";
const GRADIENT = "ElenchusCrossEntropyGradient";

export const crossEntropyKernels: readonly FusedKernel[] = [
  {
    kernelName: CROSS_ENTROPY,
    run: (inputs, _attributes, { kernels, makeAll }) => {
      const [rows = 0, vocabulary = 0] = inputs[0]!.shape;
      return makeAll(inputs, [[rows], [rows]], 0, ([loss, logSum], _, [logits, labels]) => {
        kernels.crossEntropy(loss!, logSum!, logits!, labels!, rows, vocabulary);
      });
    },
  },
  {
    kernelName: GRADIENT,
    run: (inputs, _attributes, { kernels, makeAll }) => {
      const { shape } = inputs[0]!;
      const [rows = 0, vocabulary = 0] = shape;
      return makeAll(inputs, [shape], 0, ([out], _, [logits, labels, logSum, dLoss]) => {
        kernels.crossEntropyGradient(out!, logits!, labels!, logSum!, dLoss!, rows, vocabulary);
      });
    },
  },
];

registerFusedGradient(CROSS_ENTROPY, [false, true], (dLoss, [logits, labels, logSum]) => [
  () => runFused(GRADIENT, [logits, labels, logSum, dLoss])[0]!,
]);
