import { type EvaluationOutcome, strictFailure } from "../evaluators/index.js";
import type { ScalarMetric } from "../trainers/index.js";
import type { Ending, Next } from "./rounds/federation.js";

/** What decides whether a run goes on after a round. */
export interface RoundVerdict {
  readonly round: number;
  readonly rounds: number;
  readonly targetAccuracy: number | undefined;
  readonly targetPerplexity?: number | undefined;
  readonly scalar: ScalarMetric | null;
  readonly evaluations: readonly EvaluationOutcome[];
}

/** Which target the round has reached, in words; null when none. The untrained model reaches none. */
export function targetReached(verdict: RoundVerdict): string | null {
  const { round, targetAccuracy, targetPerplexity, scalar, evaluations } = verdict;
  if (round === 0) return null;
  if (targetPerplexity !== undefined && scalar?.name === "perplexity" && scalar.value <= targetPerplexity) {
    return `trainer.target_perplexity ${targetPerplexity} reached: perplexity ${scalar.value}`;
  }
  if (targetAccuracy !== undefined && scalar !== null) {
    const { value, higherIsBetter, name } = scalar;
    if (higherIsBetter ? value >= targetAccuracy : value <= targetAccuracy) {
      return `trainer.target_accuracy ${targetAccuracy} reached: ${name} ${value}`;
    }
  }
  const evaluation = evaluations.find((outcome) => outcome.targetReached);
  if (evaluation === undefined) return null;
  const { result, name } = evaluation;
  return `target of evaluator ${name} reached: ${result?.primary_metric} ${result?.primary_value}`;
}

/** What follows the round once it is recorded. */
export function nextAfter(verdict: RoundVerdict): Next {
  const strict = strictFailure(verdict.evaluations);
  if (strict !== undefined) return end({ status: "failed", reason: strict.message, error: strict });
  const target = targetReached(verdict);
  if (target !== null) return end({ status: "completed", reason: target, error: null });
  if (verdict.round >= verdict.rounds) {
    return end({ status: "completed", reason: "all rounds are done", error: null });
  }
  return { kind: "continue" };
}

function end(ending: Ending): Next {
  return { kind: "end", ending };
}
