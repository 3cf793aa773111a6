import { PYTHON_SPACE } from "../../base/index.js";
import type { TaskDocument } from "../document.js";
import { meanMetric, oneNumber } from "./meanMetric.js";
import type { Metric, SampleValue, TaskAnswers } from "./metric.js";
import { bootstrapError, mean } from "./standardError.js";

/**
 * exp(-mean log-likelihood) of the first scored continuation, over documents: not over tokens. Its standard error
 * comes of a bootstrap.
 */
export function documentPerplexity(name: string): Metric {
  return {
    name,
    higherIsBetter: false,
    score: (_, { scores }) => scores[0]!.logLikelihood,
    aggregate: (values) => Math.exp(-mean(values.map(oneNumber))),
    standardError(values, options) {
      const logs = Float64Array.from(values, oneNumber);
      return bootstrapError(
        logs.length,
        (places) => {
          let sum = 0;
          for (const place of places) sum += logs[place]!;
          return Math.exp(-sum / logs.length);
        },
        options,
      );
    },
  };
}

/** Whether every token of the first scored continuation was the likeliest. */
export function greedyAccuracy(name: string): Metric {
  return meanMetric({ name, score: (_, { scores }) => Number(scores[0]!.greedy) });
}

/**
 * Perplexities of whole texts: sums over sums. Lengths are of the text as it stands in the data, however it was
 * changed before a model read it.
 * @param original the text of a row
 */
export function textPerplexities(
  original: (row: TaskDocument["row"]) => string,
  error: "bootstrap" | "none",
): Metric[] {
  const words = (row: TaskDocument["row"]) => original(row).split(WHITE_SPACE).length;
  const bytes = (row: TaskDocument["row"]) => Buffer.byteLength(original(row));
  return [
    overLengths("word_perplexity", words, (ratio) => Math.exp(-ratio), error),
    overLengths("byte_perplexity", bytes, (ratio) => Math.exp(-ratio), error),
    overLengths("bits_per_byte", bytes, (ratio) => -ratio / Math.LN2, error),
  ];
}

/** `\s` of Python's `re`. */
const WHITE_SPACE = new RegExp(`[${PYTHON_SPACE}]+`);

function overLengths(
  name: string,
  length: (row: TaskDocument["row"]) => number,
  read: (ratio: number) => number,
  error: "bootstrap" | "none",
): Metric {
  return {
    name,
    higherIsBetter: false,
    score: ({ row }, { rolls }: TaskAnswers) => [rolls[0]!.logLikelihood, length(row)],
    aggregate(values) {
      const [likelihood, lengths] = sums(values);
      return read(likelihood / lengths);
    },
    standardError(values, options) {
      if (error === "none") return undefined;
      return bootstrapError(
        values.length,
        (places) => {
          const [likelihood, lengths] = sums(Array.from(places, (place) => values[place]!));
          return read(likelihood / lengths);
        },
        options,
      );
    },
  };
}

function sums(values: readonly SampleValue[]): [number, number] {
  let [first, second] = [0, 0];
  for (const value of values as readonly (readonly number[])[]) {
    first += value[0]!;
    second += value[1]!;
  }
  return [first, second];
}
