import { type RotarySettings, rotaryFrequencies } from "./rotaryFrequencies.js";

/** Cosines and sines of angles, [places, head size / 2] each. */
export interface AngleTable {
  readonly cos: Float32Array;
  readonly sin: Float32Array;
}

/**
 * The angles at places of a row.
 * @param total tokens of the row, for scaling that depends on them
 */
export function angleTable(settings: RotarySettings, places: ArrayLike<number>, total: number): AngleTable {
  const half = settings.size / 2;
  const { scaling } = settings;
  const factor = scaling.type === "yarn" ? scaling.attentionFactor : 1;
  const frequencies = rotaryFrequencies(settings, total);
  const cos = new Float32Array(places.length * half);
  const sin = new Float32Array(cos.length);
  for (let index = 0, at = 0; index < places.length; index++) {
    for (let pair = 0; pair < half; pair++, at++) {
      const angle = Math.fround(places[index]! * frequencies[pair]!);
      cos[at] = Math.cos(angle) * factor;
      sin[at] = Math.sin(angle) * factor;
    }
  }
  return { cos, sin };
}
