import { tf } from "../tensorflow.js";
import { sizeOf } from "../tensorMemory.js";
import { type FusedKernel, isFused, registerFusedGradient, runFused } from "./fusedKernel.js";

/** How much of x an activation lets through: x times the normal distribution, or x sigmoid(linear x + cubic x^3). */
export type Gate = "normal" | { readonly linear: number; readonly cubic: number };

/**
 * Smooth activations, each one pass over its input: GELU (Hendrycks and Gimpel 2016, arXiv:1606.08415) as it is
 * defined, its approximation by tanh, written with (1 + tanh(u)) / 2 = sigmoid(2 u), and by a sigmoid, and SiLU.
 */
export const GATES = {
  gelu: "normal",
  geluTanh: { linear: Math.sqrt(8 / Math.PI), cubic: 0.044715 * Math.sqrt(8 / Math.PI) },
  geluSigmoid: { linear: 1.702, cubic: 0 },
  silu: { linear: 1, cubic: 0 },
} as const satisfies Readonly<Record<string, Gate>>;

/**
 * The activation of x, times `up` where it is given (Shazeer 2020, arXiv:2002.05202).
 * @param up of the shape of x
 */
export function activate<T extends tf.Tensor>(x: T, gate: Gate, up?: T): T {
  if (!isFused(ACTIVATE, x, up)) {
    const activated = composed(x, gate);
    return (up ? tf.mul(activated, up) : activated) as T;
  }
  const { linear, cubic } = gate === "normal" ? { linear: 0, cubic: 0 } : gate;
  return runFused(ACTIVATE, [x, up], { normal: gate === "normal", linear, cubic })[0] as T;
}

function composed(x: tf.Tensor, gate: Gate): tf.Tensor {
  if (gate === "normal") return tf.mul(tf.mul(x, 0.5), tf.add(tf.erf(tf.mul(x, Math.SQRT1_2)), 1));
  const { linear, cubic } = gate;
  const inner = cubic === 0 ? tf.mul(x, linear) : tf.mul(x, tf.add(tf.mul(tf.square(x), cubic), linear));
  return tf.mul(x, tf.sigmoid(inner));
}

const ACTIVATE = "ElenchusActivate";
const GRADIENT = "ElenchusActivateGradient";

export const activateKernels: readonly FusedKernel[] = [
  {
    kernelName: ACTIVATE,
    run: (inputs, attributes, { kernels, makeAll }) => {
      const { shape } = inputs[0]!;
      return makeAll(inputs, [shape], 0, ([out], _, [x, up = 0]) => {
        kernels.activate(out!, x!, up, sizeOf(shape), ...parameters(attributes));
      });
    },
  },
  {
    kernelName: GRADIENT,
    run: (inputs, attributes, { kernels, makeAll }) => {
      const { shape } = inputs[0]!;
      const shapes = inputs.length > 2 ? [shape, shape] : [shape];
      return makeAll(inputs, shapes, 0, ([dx, dUp = 0], _, [x, dy, up = 0]) => {
        kernels.activateGradient(dx!, dUp, x!, up, dy!, sizeOf(shape), ...parameters(attributes));
      });
    },
  },
];

function parameters(attributes: Readonly<Record<string, unknown>>): [number, number, number] {
  return [attributes.normal === true ? 1 : 0, Number(attributes.linear), Number(attributes.cubic)];
}

registerFusedGradient(ACTIVATE, [], (dy, [x, up], { normal, linear, cubic }) =>
  runFused(GRADIENT, [x, dy, up], {
    normal: normal === true,
    linear: Number(linear),
    cubic: Number(cubic),
  }).map((gradient) => () => gradient),
);
