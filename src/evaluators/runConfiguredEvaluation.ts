import type { EvaluationResult } from "./evaluationResult.js";
import { type EvaluationRound, evaluateRound } from "./evaluationRound.js";
import { strictFailure } from "./outcomes.js";
import type { RanEvaluator } from "./runEvaluator.js";

/** What `runConfiguredEvaluation` takes. */
export type ConfiguredEvaluation = Omit<EvaluationRound, "names">;

/**
 * Runs every evaluator of `config.evaluation` that is due, and writes `evaluation_results`,
 * `evaluation_primary` and `evaluation_status` into `context.state`; what an earlier round left there is
 * cleared first. A failure is logged and recorded, and the others run.
 * @returns the result of the first table; undefined where there is no table, it is not due or it failed
 * @throws EVALUATION_FAILED with the causes, after all have run, where one with `fail_on_error = true` failed;
 *   INTERRUPTED, or the signal's own error, when `signal` aborts
 */
export async function runConfiguredEvaluation(
  evaluation: ConfiguredEvaluation,
): Promise<EvaluationResult | undefined> {
  const ran: RanEvaluator[] = [];
  let first: EvaluationResult | undefined;
  for await (const one of evaluateRound(evaluation)) {
    ran.push(one);
    if (one.entry.index === 0) first = one.result;
  }
  const cause = ran.find(({ outcome, thrown }) => outcome.failOnError && thrown !== undefined)?.thrown;
  const failure = strictFailure(
    ran.map(({ outcome }) => outcome),
    cause,
  );
  if (failure) throw failure;
  return first;
}
