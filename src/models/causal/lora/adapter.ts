import * as tf from "@tensorflow/tfjs-core";
import type { WeightOrder } from "../../../compute/fused/index.js";
import type { LoraOptions } from "../../../config/index.js";
import type { ForwardPass } from "../forwardPass.js";

/** A low-rank adapter of a linear layer (Hu et al. 2021, arXiv:2106.09685), without its weights. */
export interface Adapter {
  readonly rank: number;
  /** Factor of its output. */
  readonly scaling: number;
  /** Share of its inputs that training leaves out. */
  readonly dropout: number;
  /** How the weight of its layer lies. */
  readonly stored: WeightOrder;
}

/** All adapters of a model. */
export interface Lora {
  /** By layer, in the order of the layers. */
  readonly adapters: ReadonlyMap<string, Adapter>;
  /** What they were made from. */
  readonly options: LoraOptions;
}

/** Both lie as PyTorch's linear layers do, whatever the layer's own weight does. */
export interface AdapterWeights {
  /** [rank, inputs] */
  readonly a: tf.Tensor2D;
  /** [outputs, rank] */
  readonly b: tf.Tensor2D;
}

/**
 * What the adapter adds to its layer: scaling * dropout(states) A^T B^T.
 * @param states [n, inputs]
 * @returns [n, outputs]
 */
export function adapted(
  states: tf.Tensor2D,
  { a, b }: AdapterWeights,
  { scaling, dropout }: Adapter,
  pass: ForwardPass,
): tf.Tensor2D {
  const narrow = tf.matMul(pass.dropout(states, dropout), a, false, true);
  // The narrow side is the cheap one to scale.
  return tf.matMul(tf.mul(narrow, scaling) as tf.Tensor2D, b, false, true);
}

/** A layer's weight with what its adapter adds: weight + scaling * B A, as the weight lies. */
export function merged(weight: tf.Tensor, { a, b }: AdapterWeights, { scaling, stored }: Adapter): tf.Tensor {
  return tf.tidy(() => {
    const product = stored === "out-in" ? tf.matMul(b, a) : tf.matMul(a, b, true, true);
    return tf.add(weight, tf.mul(product, scaling));
  });
}
