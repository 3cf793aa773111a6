import { silentLogger } from "../../../src/base/index.js";
import type { Dataset } from "../../../src/data/index.js";
import {
  type EvaluatingTrainer,
  type EvaluationOutcome,
  type EvaluationRound,
  evaluateRound,
} from "../../../src/evaluators/index.js";

/** A data set of which only the labels matter. */
export function datasetOf(labels: Int32Array | Float32Array, classes: number): Dataset {
  return {
    length: labels.length,
    inputShape: [1],
    classes,
    labels,
    batch: () => {
      throw new Error("these tests need no inputs");
    },
  };
}

/** A trainer whose model gives these outputs, row by row; the rows asked for are kept in `asked`. */
export function predicting(
  outputs: readonly number[],
  width: number,
): EvaluatingTrainer & { asked: number[][] } {
  const asked: number[][] = [];
  return {
    asked,
    async predict(_, indices) {
      asked.push([...indices]);
      const rows = [...indices].flatMap((row) => outputs.slice(row * width, (row + 1) * width));
      return { outputs: Float32Array.from(rows), width };
    },
  };
}

/** The outcome of one built-in evaluator. */
export async function outcomeOf(
  type: string,
  { options, ...round }: Partial<EvaluationRound> & { options?: object },
): Promise<EvaluationOutcome> {
  const config = { evaluation: { type, ...options } };
  for await (const { outcome } of evaluateRound({ config, logger: silentLogger, ...round })) return outcome;
  throw new Error("nothing was due");
}
