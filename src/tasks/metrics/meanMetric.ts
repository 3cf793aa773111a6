import type { TaskDocument } from "../document.js";
import type { Metric, SampleValue, TaskAnswers } from "./metric.js";
import { mean, meanError } from "./standardError.js";

/** What a mean metric is called, and what it measures on one document. */
export interface MeanMetricInit {
  readonly name: string;
  readonly filter?: string;
  readonly higherIsBetter?: boolean;
  score(document: TaskDocument, answers: TaskAnswers): number;
}

/** A metric that is the mean over documents, with the closed form of its standard error. */
export function meanMetric({ name, filter, higherIsBetter = true, score }: MeanMetricInit): Metric {
  return {
    name,
    ...(filter !== undefined && { filter }),
    higherIsBetter,
    score,
    aggregate: (values) => mean(values.map(oneNumber)),
    standardError: (values) => meanError(values.map(oneNumber)),
  };
}

/** A value that is known to be a single number. */
export function oneNumber(value: SampleValue): number {
  return typeof value === "number" ? value : value[0]!;
}
