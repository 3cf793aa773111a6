import { ownValue } from "../base/index.js";
import type { EvaluationOutcome } from "../evaluators/index.js";
import {
  type ClientEvaluation,
  type ClientMetric,
  cutText,
  LONGEST_NAME,
  MOST_EVALUATIONS,
  MOST_METRICS,
  type Report,
} from "../protocol/index.js";

/** What a report says of a client's evaluators: their numbers, without metadata and artifacts. */
export function reportedEvaluations(outcomes: readonly EvaluationOutcome[]): ClientEvaluation[] {
  return outcomes
    .filter(({ name }) => name.length <= LONGEST_NAME)
    .slice(0, MOST_EVALUATIONS)
    .map(reported);
}

/**
 * The report as it may be sent. One that is too long would be refused, and the training with it: the longest
 * evaluations then count as failed.
 * @param limit bytes of the report as JSON
 */
export function fittingReport(report: Report, limit: number): Report {
  const bytes = bytesOf(report);
  const { evaluations } = report;
  if (bytes <= limit || evaluations === undefined) return report;
  const longest = evaluations.reduce((one, other) => (bytesOf(other) > bytesOf(one) ? other : one));
  if (longest.metrics.length === 0) return { ...report, evaluations: [] };
  const why = `its result makes a report of ${bytes} bytes; at most ${limit} are taken (server.max_report_bytes). Let it give fewer metrics.`;
  const shorter = evaluations.map((one) => (one === longest ? unsent(one, why) : one));
  return fittingReport({ ...report, evaluations: shorter }, limit);
}

function reported({ name, status, reason, error, result, sums }: EvaluationOutcome): ClientEvaluation {
  const metrics = Object.entries(result?.metrics ?? {}).map(
    ([metric, value]): ClientMetric => ({
      name: metric,
      value,
      higher_is_better: ownValue(result?.higher_is_better, metric) ?? null,
      sum: ownValue(sums, metric) ?? null,
    }),
  );
  const whole: ClientEvaluation = {
    name,
    status,
    reason: reason === null ? null : cutText(reason),
    code: error === null ? null : error.code.slice(0, 100),
    metrics,
  };
  const excess = metrics.find((metric) => metric.name.length > LONGEST_NAME);
  if (excess !== undefined) return unsent(whole, `a metric's name has ${excess.name.length} characters`);
  if (metrics.length <= MOST_METRICS) return whole;
  return unsent(whole, `it has ${metrics.length} metrics; at most ${MOST_METRICS} are reported`);
}

function unsent(evaluation: ClientEvaluation, reason: string): ClientEvaluation {
  return { ...evaluation, status: "failed", reason: cutText(reason), code: "RESULT_INVALID", metrics: [] };
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
