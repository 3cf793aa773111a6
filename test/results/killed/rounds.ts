import type { RoundRecord } from "../../../src/results/index.js";
import type { Weights } from "../../../src/weights/index.js";
import { failure, outcome, round } from "../fixtures.js";

/** What every killed process would record of a round: new columns now and then, failures, quotes, clients. */
export function roundOf(number: number): RoundRecord {
  const metrics = { f1: 1 / number, [`metric_${number - (number % 9)}`]: number };
  return round(number, {
    items: { round: number, accuracy: number / 7, note: number % 4 === 0 ? `"a",\n${number}` : null },
    evaluations: [
      number % 5 === 0
        ? failure("e", "now and then")
        : outcome("e", metrics, { payload: { artifacts: { number } } }),
    ],
    clients: [1, 2, 3].map((clientId) => ({ clientId, metric: "accuracy", value: clientId / number })),
  });
}

/** Weights that say which round they are of. */
export function weightsOf(number: number): Weights {
  return new Map([["w", { dtype: "float32", shape: [257], data: new Float32Array(257).fill(number) }]]);
}

export const TYPES = "round, accuracy, note";
