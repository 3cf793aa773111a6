import { tf } from "../tensorflow.js";
import { sizeOf } from "../tensorMemory.js";
import { type FusedKernel, isFused, registerFusedGradient, runFused } from "./fusedKernel.js";

/** What a norm over the last axis is made of. */
export interface NormOptions {
  /** Added to the variance. */
  readonly epsilon: number;
  /** Whether the mean is taken off first: a layer norm. Otherwise a root mean square norm. */
  readonly centred: boolean;
  /** [width] */
  readonly weight?: tf.Tensor | undefined;
  /** [width]; only with a weight */
  readonly bias?: tf.Tensor | undefined;
}

/**
 * (x - mean) / sqrt(variance + epsilon) * weight + bias over the last axis (Ba et al. 2016, arXiv:1607.06450);
 * not centred, x / sqrt(mean(x^2) + epsilon) * weight (Zhang and Sennrich 2019, arXiv:1910.07467).
 */
export function normalise<T extends tf.Tensor>(x: T, options: NormOptions): T {
  const { epsilon, centred, weight, bias } = options;
  if (!isFused(NORMALISE, x, weight, bias)) return composed(x, options);
  return runFused(NORMALISE, [x, weight, bias], { epsilon, centred })[0] as T;
}

function composed<T extends tf.Tensor>(x: T, { epsilon, centred, weight, bias }: NormOptions): T {
  const moved = centred ? tf.sub(x, tf.mean(x, -1, true)) : x;
  const variance = tf.mean(tf.square(moved), -1, true);
  const normed = tf.mul(moved, tf.rsqrt(tf.add(variance, epsilon)));
  const weighted = weight ? tf.mul(normed, weight) : normed;
  return (bias ? tf.add(weighted, bias) : weighted) as T;
}

const NORMALISE = "ElenchusNormalise";
const GRADIENT = "ElenchusNormaliseGradient";

export const normaliseKernels: readonly FusedKernel[] = [
  {
    kernelName: NORMALISE,
    run: (inputs, { epsilon, centred }, { kernels, makeAll }) => {
      const { shape } = inputs[0]!;
      const width = shape.at(-1) ?? 1;
      return makeAll(inputs, [shape], 0, ([out], _, [x, weight = 0, bias = 0]) => {
        kernels.normalise(
          out!,
          x!,
          weight,
          bias,
          sizeOf(shape) / width,
          width,
          Number(epsilon),
          centred === true,
        );
      });
    },
  },
  {
    kernelName: GRADIENT,
    run: (inputs, { epsilon, centred, biased }, { kernels, makeAll }) => {
      const { shape } = inputs[0]!;
      const width = shape.at(-1) ?? 1;
      const shapes = [shape, ...(inputs.length > 2 ? [[width]] : []), ...(biased ? [[width]] : [])];
      return makeAll(inputs, shapes, 0, ([dx, dWeight = 0, dBias = 0], _, [x, dy, weight = 0]) => {
        const sizes = [sizeOf(shape) / width, width, Number(epsilon), centred === true] as const;
        kernels.normaliseGradient(dx!, dWeight, dBias, x!, weight, dy!, ...sizes);
      });
    },
  },
];

registerFusedGradient(NORMALISE, [], (dy, [x, weight, bias], { epsilon, centred }) =>
  runFused(GRADIENT, [x, dy, weight], {
    epsilon: Number(epsilon),
    centred: centred === true,
    biased: bias !== undefined,
  }).map((gradient) => () => gradient),
);
