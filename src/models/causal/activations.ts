import * as tf from "@tensorflow/tfjs-core";
import { activate, GATES, type Gate } from "../../compute/fused/index.js";
import type { ActivationName } from "./activationNames.js";

/** The function of that name. */
export function activation<T extends tf.Tensor>(name: ActivationName, states: T): T {
  const gate = SMOOTH[name];
  if (gate) return activate(states, gate);
  const positive = tf.relu(states);
  return name === "relu2" ? tf.square(positive) : positive;
}

/** The function of that name of `states`, times `up`. */
export function gatedActivation<T extends tf.Tensor>(name: ActivationName, states: T, up: T): T {
  const gate = SMOOTH[name];
  return gate ? activate(states, gate, up) : tf.mul(activation(name, states), up);
}

const SMOOTH: Readonly<Partial<Record<ActivationName, Gate>>> = {
  gelu: GATES.gelu,
  gelu_new: GATES.geluTanh,
  gelu_fast: GATES.geluTanh,
  gelu_pytorch_tanh: GATES.geluTanh,
  quick_gelu: GATES.geluSigmoid,
  silu: GATES.silu,
  swish: GATES.silu,
};
