import type { TensorInfo } from "@tensorflow/tfjs-core";
import { tf } from "../tensorflow.js";
import { sizeOf } from "../tensorMemory.js";
import { type FusedKernel, isFused, registerFusedGradient, runFused } from "./fusedKernel.js";

/** Cosines and sines of the angles, [1 or batch, length, head size / 2]. */
export interface Angles {
  readonly cos: tf.Tensor3D;
  readonly sin: tf.Tensor3D;
}

/**
 * Turns the pairs (i, i + size / 2) of every head by the angles of its token (Su et al. 2021, arXiv:2104.09864).
 * Differentiable by the states alone.
 * @param states [batch, length, heads, size]
 */
export function rotate(states: tf.Tensor4D, { cos, sin }: Angles): tf.Tensor4D {
  if (!isFused(ROTATE, states, cos, sin)) return composed(states, { cos, sin });
  return runFused(ROTATE, [states, cos, sin], { sign: 1 })[0] as tf.Tensor4D;
}

function composed(states: tf.Tensor4D, angles: Angles): tf.Tensor4D {
  const [cos, sin] = [tf.expandDims(angles.cos, 2), tf.expandDims(angles.sin, 2)];
  const [first, second] = tf.split(states, 2, 3) as [tf.Tensor4D, tf.Tensor4D];
  return tf.concat(
    [
      tf.sub(tf.mul(first, cos), tf.mul(second, sin)) as tf.Tensor4D,
      tf.add(tf.mul(second, cos), tf.mul(first, sin)) as tf.Tensor4D,
    ],
    3,
  );
}

const ROTATE = "ElenchusRotate";

export const rotateKernels: readonly FusedKernel[] = [
  {
    kernelName: ROTATE,
    run: (inputs, { sign }, { kernels, makeAll }) => {
      const [{ shape }, cosines] = inputs as [TensorInfo, TensorInfo];
      const [batch = 0, length = 0, heads = 0, size = 0] = shape;
      return makeAll(inputs, [shape], 0, ([out], _, [states, cos, sin]) => {
        const sizes = [batch * length, sizeOf(cosines.shape.slice(0, 2)), heads, size / 2] as const;
        kernels.rotate(out!, states!, cos!, sin!, ...sizes, Number(sign));
      });
    },
  },
];

registerFusedGradient(ROTATE, [], (dy, [, cos, sin], { sign }) => [
  () => runFused(ROTATE, [dy, cos, sin], { sign: -Number(sign) })[0]!,
]);
