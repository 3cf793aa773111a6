import { isDeepStrictEqual } from "node:util";
import { ElenchusError, ownValue } from "../base/index.js";
import type { EvaluationOutcome, EvaluationStatus } from "./evaluationOutcome.js";
import type { EvaluationResult } from "./evaluationResult.js";
import type { EvaluationTable, TableEntry } from "./evaluationTable.js";
import type { EvaluatorDeclarations } from "./evaluator.js";

/**
 * The outcome of an evaluator that gave a result: `ok`, or `partial` where it used fewer examples than there are.
 * @throws EVALUATION_CONFIG where the table has a target and nobody declared the direction
 */
export function outcomeOf(
  entry: TableEntry,
  table: EvaluationTable,
  result: EvaluationResult,
  declared: EvaluatorDeclarations,
  durationSeconds: number,
): EvaluationOutcome {
  const { primaryMetric, primaryValue, sampled } = result;
  const direction: unknown =
    ownValue(result.higherIsBetter, primaryMetric) ??
    ownValue(declared.metrics, primaryMetric)?.higherIsBetter;
  const primaryHigherIsBetter = typeof direction === "boolean" ? direction : null;
  if (table.target !== undefined && primaryHigherIsBetter === null) {
    throw new ElenchusError(
      "EVALUATION_CONFIG",
      `Its table has a target, but nothing says whether a higher "${primaryMetric}" is better. Give the metric a direction in higherIsBetter.`,
    );
  }
  const reasons = [
    ...(sampled !== null && sampled.used < sampled.total
      ? [`used ${sampled.used} of ${sampled.total} examples`]
      : []),
    ...(result.partial === null ? [] : [result.partial]),
  ];
  const partial = reasons.length > 0;
  return {
    name: entry.name,
    type: entry.type,
    status: partial ? "partial" : "ok",
    reason: partial ? reasons.join("; ") : null,
    durationSeconds,
    error: null,
    result: result.toPayload(),
    details: { ...result.details },
    sums: structuredClone(result.sums),
    sampled: sampled === null ? null : { ...sampled },
    ...ownOrder(result),
    failOnError: entry.failOnError,
    primaryHigherIsBetter,
    targetReached: reached(primaryValue, table.target, primaryHigherIsBetter),
  };
}

/** The order of the names, where the objects themselves do not have it. */
function ownOrder({ metrics, details, order }: EvaluationResult): Pick<EvaluationOutcome, "order"> {
  const byThemselves = new Set([...Object.keys(metrics), ...Object.keys(details)]);
  return isDeepStrictEqual([...byThemselves], order) ? {} : { order: [...order] };
}

/**
 * The outcome of an evaluator that gave no result. A host makes one itself where the process around the
 * evaluator died or stood still.
 */
export function failedOutcome(
  entry: Pick<TableEntry, "name" | "type" | "failOnError">,
  how: {
    status: Exclude<EvaluationStatus, "ok" | "partial">;
    /** Absent for `skipped` and `pending`, which are no errors. */
    code?: string;
    message: string;
    durationSeconds: number;
  },
): EvaluationOutcome {
  return {
    name: entry.name,
    type: entry.type,
    status: how.status,
    reason: how.message,
    durationSeconds: how.durationSeconds,
    error: how.code === undefined ? null : { code: how.code, message: how.message },
    result: null,
    details: {},
    sums: {},
    sampled: null,
    failOnError: entry.failOnError,
    primaryHigherIsBetter: null,
    targetReached: false,
  };
}

/**
 * What the log says of a failure. That of an evaluator with `fail_on_error` has its cause in the error that ends the
 * run, and need not tell it twice.
 */
export function failureLine({ name, failOnError }: TableEntry, message: string): string {
  return failOnError
    ? `The evaluator "${name}" failed. Its fail_on_error is true: the run ends when those after it have run.`
    : `The evaluator "${name}" failed: ${sentence(message)} The run goes on without its metrics; fail_on_error = true in its table would end it.`;
}

/**
 * The error that ends a run because evaluators with `fail_on_error = true` failed; undefined where none did.
 * @param cause what the first of them threw, where this process knows
 */
export function strictFailure(
  outcomes: readonly EvaluationOutcome[],
  cause?: unknown,
): ElenchusError | undefined {
  const failures = outcomes.filter(
    ({ status, failOnError }) => failOnError && (status === "failed" || status === "timeout"),
  );
  if (failures.length === 0) return undefined;
  const sentences = failures.map(({ name, status, reason }) => {
    const how = status === "timeout" ? "ran out of time" : "failed";
    return `The evaluator "${name}" ${how}: ${sentence(reason ?? "no cause is known")}`;
  });
  return new ElenchusError(
    "EVALUATION_FAILED",
    `${sentences.join(" ")} With fail_on_error = false the run would go on.`,
    { cause, details: { evaluators: failures.map(({ name, error }) => ({ name, error })) } },
  );
}

/** Closed where the author of a message left it open, as something follows it. */
function sentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

function reached(value: number, target: number | undefined, higherIsBetter: boolean | null): boolean {
  if (target === undefined || higherIsBetter === null) return false;
  return higherIsBetter ? value >= target : value <= target;
}
