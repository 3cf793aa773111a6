import * as tf from "@tensorflow/tfjs-core";
import type { Angles } from "../../compute/fused/index.js";
import type { Places } from "./mask.js";
import { type RotarySettings, rotaryFrequencies } from "./rotaryFrequencies.js";

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
  const shape: [number, number, number] = [rows, places.each, half];
  return { cos: tf.tensor3d(cos, shape), sin: tf.tensor3d(sin, shape) };
}
