import { tf } from "../tensorflow.js";
import { sizeOf } from "../tensorMemory.js";
import { type FusedKernel, isFused, runFused } from "./fusedKernel.js";

/** Numbers of one step of Adam. */
export interface AdamNumbers {
  readonly beta1: number;
  readonly beta2: number;
  /** Learning rate with both corrections of the moments in it. */
  readonly rate: number;
  /** Added to the root of the square, with the correction of the square in it. */
  readonly epsilon: number;
  /** What of the weights is added to the gradient. */
  readonly decay: number;
  /** Factor of the weights before the step. */
  readonly keep: number;
}

/** What a step reads; without moments they count as zero. */
export interface AdamState {
  readonly weights: tf.Tensor;
  readonly gradient: tf.Tensor;
  readonly mean?: tf.Tensor | undefined;
  readonly square?: tf.Tensor | undefined;
}

/** New tensors of the shape of the weights. */
export interface AdamResult {
  readonly weights: tf.Tensor;
  readonly mean: tf.Tensor;
  readonly square: tf.Tensor;
}

/**
 * One step of Adam (Kingma and Ba 2015, arXiv:1412.6980), with g = gradient + decay * weights:
 * mean = beta1 * mean + (1 - beta1) * g; square = beta2 * square + (1 - beta2) * g^2;
 * weights = keep * weights - rate * mean / (sqrt(square) + epsilon).
 */
export function adamStep(state: AdamState, numbers: AdamNumbers): AdamResult {
  const { weights, gradient } = state;
  if (!isFused(ADAM, weights, gradient)) return composed(state, numbers);
  const mean = state.mean ?? tf.zerosLike(weights);
  const square = state.square ?? tf.zerosLike(weights);
  const results = runFused(ADAM, [weights, gradient, mean, square], { ...numbers });
  return { weights: results[0]!, mean: results[1]!, square: results[2]! };
}

function composed(
  { weights, gradient, mean, square }: AdamState,
  { beta1, beta2, rate, epsilon, decay, keep }: AdamNumbers,
): AdamResult {
  const whole = decay !== 0 ? tf.add(gradient, tf.mul(weights, decay)) : gradient;
  const moment = (before: tf.Tensor | undefined, beta: number, value: tf.Tensor): tf.Tensor => {
    const fresh = tf.mul(value, 1 - beta);
    return before ? tf.add(tf.mul(before, beta), fresh) : fresh;
  };
  const newMean = moment(mean, beta1, whole);
  const newSquare = moment(square, beta2, tf.square(whole));
  const change = tf.mul(tf.div(newMean, tf.add(tf.sqrt(newSquare), epsilon)), rate);
  const kept = keep !== 1 ? tf.mul(weights, keep) : weights;
  return { weights: tf.sub(kept, change), mean: newMean, square: newSquare };
}

const ADAM = "ElenchusAdam";

export const adamKernels: readonly FusedKernel[] = [
  {
    kernelName: ADAM,
    run: (inputs, numbers, { kernels, makeAll }) => {
      const { beta1, beta2, rate, epsilon, decay, keep } = numbers as unknown as AdamNumbers;
      const { shape } = inputs[0]!;
      return makeAll(inputs, [shape, shape, shape], 0, (out, _, addresses) => {
        const [newWeights, newMean, newSquare] = out as [number, number, number];
        const [weights, gradient, mean, square] = addresses as [number, number, number, number];
        const arrays = [newWeights, newMean, newSquare, weights, mean, square, gradient] as const;
        const factors = [beta1, beta2, 1 - beta1, 1 - beta2, rate, epsilon, decay, keep] as const;
        kernels.adam(...arrays, sizeOf(shape), ...factors);
      });
    },
  },
];
