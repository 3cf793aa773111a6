import * as tf from "@tensorflow/tfjs-core";
import type { LossStrategy } from "../../algorithms/index.js";
import { tokenCrossEntropy } from "../../compute/fused/tokenCrossEntropy.js";
import { NO_LABEL } from "../../data/index.js";
import type { CrossEntropyOptions } from "./lossOptions.js";

/**
 * Mean over the labels of -log softmax(logits)[label]. With label smoothing e over K classes the target is
 * (1 - e) at the label plus e/K everywhere (Szegedy et al. 2016), as PyTorch's `CrossEntropyLoss`.
 */
export class CrossEntropyLoss implements LossStrategy {
  readonly #smoothing: number;

  constructor({ label_smoothing }: CrossEntropyOptions = { label_smoothing: 0 }) {
    this.#smoothing = label_smoothing;
  }

  /**
   * @param outputs logits, shape [rows, classes], or [rows, length, vocabulary] of tokens
   * @param labels class indices, int32, shape [rows], or [rows, length] with `NO_LABEL` where none counts
   */
  computeLoss(outputs: tf.Tensor, labels: tf.Tensor): tf.Scalar {
    const [rows = 0, classes = 0] = outputs.shape;
    if (outputs.rank > 2) return this.#ofTokens(outputs, labels);
    const right = tf.oneHot(tf.reshape(labels, [rows]), classes);
    return meanCrossEntropy(outputs, this.#spread(right, classes)) as tf.Scalar;
  }

  /** Not by values of one-hot vectors of their own: the WebAssembly back end makes whole numbers of them. */
  #spread(right: tf.Tensor, classes: number): tf.Tensor {
    if (this.#smoothing === 0) return right;
    return tf.add(tf.mul(right, 1 - this.#smoothing), this.#smoothing / classes);
  }

  #ofTokens(outputs: tf.Tensor, labels: tf.Tensor): tf.Scalar {
    const flat = tf.reshape(labels, [-1]) as tf.Tensor1D;
    const logits = tf.reshape(outputs, [flat.size, -1]) as tf.Tensor2D;
    return meanTokenLoss(logits, flat, this.#smoothing);
  }
}

/**
 * The same for tokens: the sum over all that have a label, divided by how many have one; 0 where none has.
 * @param logits [n, vocabulary]
 * @param labels int32 [n], `NO_LABEL` where none counts
 */
function meanTokenLoss(logits: tf.Tensor2D, labels: tf.Tensor1D, smoothing = 0): tf.Scalar {
  const labelled = tf.cast(tf.notEqual(labels, NO_LABEL), "float32");
  const count = tf.maximum(tf.sum(labelled), 1);
  const right = tf.sum(tokenCrossEntropy(logits, labels));
  if (smoothing === 0) return tf.div(right, count);
  // -mean(log softmax): what a target that is spread evenly would cost.
  const even = tf.mul(tf.sub(tf.logSumExp(logits, 1), tf.mean(logits, 1)), labelled);
  return tf.div(tf.add(tf.mul(right, 1 - smoothing), tf.mul(tf.sum(even), smoothing)), count);
}

/** One node on the tape: its gradient (softmax - target) / rows needs three kernels, the tape's own chain a dozen. */
const meanCrossEntropy = tf.customGrad((logits, targets, save) => {
  const given = logits as tf.Tensor;
  const wanted = targets as tf.Tensor;
  const logProbabilities = tf.logSoftmax(given);
  const rows = Math.max(given.shape[0]!, 1);
  (save as tf.GradSaveFunc)([logProbabilities, wanted]);
  return {
    value: tf.mul(tf.sum(tf.mul(logProbabilities, wanted)), -1 / rows),
    gradFunc: (upstream, saved) => {
      const [logs, target] = saved as [tf.Tensor, tf.Tensor];
      const scale = tf.div(upstream as tf.Tensor, rows);
      return [tf.mul(tf.sub(tf.exp(logs), target), scale), tf.zerosLike(target)];
    },
  };
});
