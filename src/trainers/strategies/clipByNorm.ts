import * as tf from "@tensorflow/tfjs-core";

/** Keeps a norm of 0 from dividing by it; PyTorch's number. */
const LITTLE = 1e-6;

/**
 * Shortens all gradients together where their norm, as of one long vector, is above `most`: each is multiplied by
 * most / (norm + 1e-6) (Pascanu et al. 2013, arXiv:1211.5063), as PyTorch's `clip_grad_norm_`.
 */
export function clipByNorm(
  gradients: ReadonlyMap<string, tf.Tensor>,
  most: number,
): ReadonlyMap<string, tf.Tensor> {
  const norm = globalNorm(gradients);
  const factor = most / (norm + LITTLE);
  if (factor >= 1) return gradients;
  return new Map([...gradients].map(([name, gradient]) => [name, tf.mul(gradient, factor)]));
}

function globalNorm(gradients: ReadonlyMap<string, tf.Tensor>): number {
  return tf.tidy(() => {
    let squares = 0;
    for (const gradient of gradients.values()) squares += tf.sum(tf.square(gradient)).dataSync()[0]!;
    return Math.sqrt(squares);
  });
}
