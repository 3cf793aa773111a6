import * as tf from "@tensorflow/tfjs-core";

/** What batch normalisation works with. */
export interface BatchNormalisation {
  readonly scale: tf.Tensor;
  readonly shift: tf.Tensor;
  /** Added to the variance. */
  readonly epsilon: number;
}

/** The running statistics of one layer. */
export interface Statistics {
  readonly mean: tf.Tensor;
  readonly variance: tf.Tensor;
}

/** Normalises by what the statistics say: (x - mean) / sqrt(variance + epsilon) * scale + shift. */
export function normaliseBy(
  inputs: tf.Tensor,
  { mean, variance }: Statistics,
  { scale, shift, epsilon }: BatchNormalisation,
): tf.Tensor {
  const factor = tf.mul(scale, tf.rsqrt(tf.add(variance, epsilon)));
  return tf.add(tf.mul(tf.sub(inputs, mean), factor), shift);
}

/**
 * Normalises by the batch's own mean and variance, over all axes but the last (Ioffe and Szegedy 2015,
 * arXiv:1502.03167).
 * @returns the outputs, and the batch's statistics, which whoever asked for them frees; the variance is that of the
 *   batch itself, divided by n
 */
export function normaliseBatch(
  inputs: tf.Tensor,
  { scale, shift, epsilon }: BatchNormalisation,
): { readonly outputs: tf.Tensor; readonly batch: Statistics } {
  const axes = inputs.shape.slice(0, -1).map((_, axis) => axis);
  const count = inputs.size / inputs.shape.at(-1)!;
  let batch: Statistics | undefined;
  // One node on the tape: its own chain would keep four tensors of the inputs' size instead of one.
  const normalise = tf.customGrad((x, gamma, beta, save) => {
    const mean = tf.mean(x as tf.Tensor, axes);
    const centred = tf.sub(x as tf.Tensor, mean);
    const variance = tf.mean(tf.square(centred), axes);
    batch = { mean: tf.keep(mean), variance: tf.keep(variance) };
    const inverse = tf.rsqrt(tf.add(variance, epsilon));
    const unit = tf.mul(centred, inverse);
    (save as tf.GradSaveFunc)([unit, tf.mul(inverse, gamma as tf.Tensor)]);
    return {
      value: tf.add(tf.mul(unit, gamma as tf.Tensor), beta as tf.Tensor),
      gradFunc: (upstream, saved) => {
        const [normal, factor] = saved as [tf.Tensor, tf.Tensor];
        const above = upstream as tf.Tensor;
        const ofShift = tf.sum(above, axes);
        const ofScale = tf.sum(tf.mul(above, normal), axes);
        // Mean and variance follow the inputs too.
        const through = tf.div(tf.add(tf.mul(normal, ofScale), ofShift), count);
        return [tf.mul(tf.sub(above, through), factor), ofScale, ofShift];
      },
    };
  });
  const outputs = normalise(inputs, scale, shift);
  return { outputs, batch: batch! };
}
