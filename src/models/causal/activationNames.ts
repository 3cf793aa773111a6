/** Activations by the names that `config.json` gives them. Apart, so that naming one loads no TensorFlow.js. */
export const ACTIVATION_NAMES = [
  "gelu",
  "gelu_new",
  "gelu_fast",
  "gelu_pytorch_tanh",
  "quick_gelu",
  "relu",
  "relu2",
  "silu",
  "swish",
] as const;

export type ActivationName = (typeof ACTIVATION_NAMES)[number];
