import type { EvaluationOutcome, EvaluationPayload } from "../../src/evaluators/index.js";
import type { RoundRecord } from "../../src/results/index.js";

/** A round with the usual items and nothing else, unless told. */
export function round(number: number, changes: Partial<RoundRecord> = {}): RoundRecord {
  return {
    round: number,
    items: { round: number, accuracy: number / 8, elapsed_time: number * 1.5 },
    evaluations: [],
    clients: [],
    ...changes,
  };
}

/** The outcome of an evaluator that gave these metrics, the first of them primary. */
export function outcome(
  name: string,
  metrics: Record<string, number>,
  changes: Partial<EvaluationOutcome> & { payload?: Partial<EvaluationPayload> } = {},
): EvaluationOutcome {
  const { payload, ...rest } = changes;
  const primary = Object.keys(metrics)[0]!;
  return {
    name,
    type: name,
    status: "ok",
    reason: null,
    durationSeconds: 0.25,
    error: null,
    result: {
      evaluator: name,
      primary_metric: primary,
      metrics,
      higher_is_better: {},
      metadata: {},
      artifacts: {},
      primary_value: metrics[primary]!,
      ...payload,
    },
    details: {},
    sums: {},
    sampled: null,
    failOnError: false,
    primaryHigherIsBetter: null,
    targetReached: false,
    ...rest,
  };
}

/** The outcome of an evaluator that failed. */
export function failure(name: string, message = "it broke"): EvaluationOutcome {
  return {
    ...outcome(name, { unused: 0 }),
    status: "failed",
    reason: message,
    error: { code: "EVALUATION_FAILED", message },
    result: null,
  };
}
