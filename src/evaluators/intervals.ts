import { normalBound } from "../base/index.js";
import { EvaluationResult } from "./evaluationResult.js";

/**
 * A result with the bounds of its numbers among its details: `<name>_ci_low` and `<name>_ci_high`, as many standard
 * errors to either side as the normal distribution has for that confidence. Numbers without a standard error have none,
 * and a number of such a name that the evaluator gives itself stays.
 * @param confidence share of intervals that hold the true number, above 0 and below 1
 */
export function withIntervals(result: EvaluationResult, confidence: number): EvaluationResult {
  const bound = normalBound(confidence);
  const { metrics, details } = result;
  const bounds = new Map<string, number>();
  for (const [name, error] of Object.entries(result.standardErrors)) {
    const value = (Object.hasOwn(metrics, name) ? metrics : details)[name]!;
    bounds.set(`${name}_ci_low`, value - bound * error);
    bounds.set(`${name}_ci_high`, value + bound * error);
  }
  const own = new Set([...Object.keys(metrics), ...Object.keys(details)]);
  const added = [...bounds].filter(([name]) => !own.has(name));
  return new EvaluationResult({ ...result, details: new Map([...Object.entries(details), ...added]) });
}
