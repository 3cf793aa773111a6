import { tf } from "../tensorflow.js";

/** The label of a place that has none. */
const NO_LABEL = -100;

/**
 * Cross entropy of tokens: log(sum(exp(logits))) - logits[label], natural logarithm.
 * @param logits [n, vocabulary]
 * @param labels int32 [n], -100 where there is no label
 * @returns [n], zero where there is no label; differentiable by the logits
 */
export function tokenCrossEntropy(logits: tf.Tensor2D, labels: tf.Tensor1D): tf.Tensor1D {
  return tf.tidy(() => {
    const labelled = tf.notEqual(labels, NO_LABEL);
    const known = tf.where(labelled, labels, tf.zerosLike(labels));
    // Told to make floats, the wasm back end writes whole numbers into them.
    const chosen = tf.cast(tf.oneHot(known, logits.shape[1]), "float32");
    const own = tf.sum(tf.mul(tf.logSoftmax(logits), chosen), 1);
    return tf.neg(tf.mul(own, tf.cast(labelled, "float32"))) as tf.Tensor1D;
  });
}
