import type { Weights } from "../weights/index.js";
import { EXTRA_PREFIX } from "./algorithm.js";

/** What a client was sent: the model's weights, and what the algorithm broadcast beside them. */
export interface Received {
  readonly weights: Weights;
  readonly extras: Weights;
}

/** Takes apart what came in one payload. */
export function receivedFrom(payload: Weights): Received {
  const entries = [...payload];
  const isExtra = ([name]: (typeof entries)[number]) => name.startsWith(EXTRA_PREFIX);
  if (!entries.some(isExtra)) return { weights: payload, extras: new Map() };
  return {
    weights: new Map(entries.filter((entry) => !isExtra(entry))),
    extras: new Map(entries.filter(isExtra)),
  };
}
