import * as tf from "@tensorflow/tfjs-core";
import type { ActivationName } from "./activationNames.js";

/** The function of that name. */
export function activation<T extends tf.Tensor>(name: ActivationName, states: T): T {
  return FUNCTIONS[name](states) as T;
}

const FUNCTIONS: Readonly<Record<ActivationName, (x: tf.Tensor) => tf.Tensor>> = {
  gelu: exactGelu,
  gelu_new: tanhGelu,
  gelu_fast: tanhGelu,
  gelu_pytorch_tanh: tanhGelu,
  quick_gelu: (x) => tf.mul(x, tf.sigmoid(tf.mul(x, 1.702))),
  relu: (x) => tf.relu(x),
  relu2: (x) => tf.square(tf.relu(x)),
  silu,
  swish: silu,
};

/** x Phi(x), Phi being the normal distribution (Hendrycks and Gimpel 2016). */
function exactGelu(x: tf.Tensor): tf.Tensor {
  return tf.mul(tf.mul(x, 0.5), tf.add(tf.erf(tf.mul(x, Math.SQRT1_2)), 1));
}

/** Its approximation 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))), from the same paper. */
function tanhGelu(x: tf.Tensor): tf.Tensor {
  const inner = tf.mul(
    x,
    tf.add(tf.mul(tf.square(x), 0.044715 * Math.sqrt(2 / Math.PI)), Math.sqrt(2 / Math.PI)),
  );
  return tf.mul(tf.mul(x, 0.5), tf.add(tf.tanh(inner), 1));
}

function silu(x: tf.Tensor): tf.Tensor {
  return tf.mul(x, tf.sigmoid(x));
}
