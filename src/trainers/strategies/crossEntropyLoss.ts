import * as tf from "@tensorflow/tfjs-core";
import type { LossStrategy } from "../../algorithms/index.js";
import type { CrossEntropyOptions } from "./strategyOptions.js";

/**
 * Mean over the rows of -log softmax(logits)[label]. With label smoothing e over K classes the target is
 * (1 - e) at the label plus e/K everywhere (Szegedy et al. 2016), as PyTorch's `CrossEntropyLoss`.
 */
export class CrossEntropyLoss implements LossStrategy {
  readonly #smoothing: number;

  constructor({ label_smoothing }: CrossEntropyOptions = { label_smoothing: 0 }) {
    this.#smoothing = label_smoothing;
  }

  /**
   * @param outputs logits, shape [rows, classes]
   * @param labels class indices, int32, shape [rows]
   */
  computeLoss(outputs: tf.Tensor, labels: tf.Tensor): tf.Scalar {
    const [rows = 0, classes = 0] = outputs.shape;
    const spread = this.#smoothing / classes;
    const targets = tf.oneHot(tf.reshape(labels, [rows]), classes, 1 - this.#smoothing + spread, spread);
    return meanCrossEntropy(outputs, targets) as tf.Scalar;
  }
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
