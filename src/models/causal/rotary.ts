import * as tf from "@tensorflow/tfjs-core";
import type { Angles } from "../../compute/fused/index.js";
import { angleTable } from "./angleTable.js";
import type { Places } from "./mask.js";
import type { RotarySettings } from "./rotaryFrequencies.js";

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
  const shape: [number, number, number] = [rows, places.each, half];
  return { cos: tf.tensor3d(cos, shape), sin: tf.tensor3d(sin, shape) };
}
