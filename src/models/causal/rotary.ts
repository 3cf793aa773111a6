import * as tf from "@tensorflow/tfjs-core";
import { angleTable } from "./angleTable.js";
import type { Places } from "./mask.js";
import type { RotarySettings } from "./rotaryFrequencies.js";

/** Cosines and sines of the angles, [1 or batch, 1, length, head size / 2]. */
export interface Angles {
  readonly cos: tf.Tensor4D;
  readonly sin: tf.Tensor4D;
}

/**
 * The angles at these places.
 * @param totals tokens of each row, for scaling that depends on them
 */
export function rotaryAngles(settings: RotarySettings, places: Places, totals: Int32Array): Angles {
  const { scaling } = settings;
  const alike =
    places.rows === 1 && (scaling.type !== "dynamic" || totals.every((total) => total === totals[0]));
  const rows = alike ? 1 : totals.length;
  const half = settings.size / 2;
  const cos = new Float32Array(rows * places.each * half);
  const sin = new Float32Array(cos.length);
  for (let row = 0; row < rows; row++) {
    const start = (places.rows === 1 ? 0 : row) * places.each;
    const own = angleTable(settings, places.places.subarray(start, start + places.each), totals[row]!);
    cos.set(own.cos, row * places.each * half);
    sin.set(own.sin, row * places.each * half);
  }
  const shape: [number, number, number, number] = [rows, 1, places.each, half];
  return { cos: tf.tensor4d(cos, shape), sin: tf.tensor4d(sin, shape) };
}

/** Turns the pairs (i, i + size / 2) of every head by the angles. */
export function rotate(states: tf.Tensor4D, { cos, sin }: Angles): tf.Tensor4D {
  const [first, second] = tf.split(states, 2, 3) as [tf.Tensor4D, tf.Tensor4D];
  return tf.concat(
    [
      tf.sub(tf.mul(first, cos), tf.mul(second, sin)) as tf.Tensor4D,
      tf.add(tf.mul(second, cos), tf.mul(first, sin)) as tf.Tensor4D,
    ],
    3,
  );
}
