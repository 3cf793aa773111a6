import * as tf from "@tensorflow/tfjs-core";
import type { Places } from "./mask.js";
import { type RotarySettings, rotaryFrequencies } from "./rotaryFrequencies.js";

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
  const factor = scaling.type === "yarn" ? scaling.attentionFactor : 1;
  const cos = new Float32Array(rows * places.each * half);
  const sin = new Float32Array(cos.length);
  for (let row = 0, at = 0; row < rows; row++) {
    const frequencies = rotaryFrequencies(settings, totals[row]!);
    for (let index = 0; index < places.each; index++) {
      const place = places.places[(places.rows === 1 ? 0 : row) * places.each + index]!;
      for (let pair = 0; pair < half; pair++, at++) {
        const angle = Math.fround(place * frequencies[pair]!);
        cos[at] = Math.cos(angle) * factor;
        sin[at] = Math.sin(angle) * factor;
      }
    }
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
