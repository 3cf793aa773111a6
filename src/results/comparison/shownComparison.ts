import { columnName, unknownName } from "../../base/index.js";
import type { Comparison, SampleComparison } from "./compareRounds.js";

/**
 * Only what a comparison says of one metric, of samples or of rows; all where none is named.
 * @throws NAME_UNKNOWN for a metric that nothing has
 */
export function onlyMetric(found: Comparison, metric: string | undefined): Comparison {
  if (metric === undefined) return found;
  const column = `evaluation_${columnName(metric)}`;
  const samples = found.samples.filter((one) => one.metric === metric);
  const cells = found.cells.filter((one) => one.column === metric || one.column === column);
  if (samples.length + cells.length > 0) return { ...found, samples, cells };
  const known = [...found.samples.map((one) => one.metric), ...found.cells.map((one) => one.column)];
  throw unknownName("metric", metric, [...new Set(known)].sort());
}

/** What is told of samples that were compared, as JSON. */
export function comparedSamples(one: SampleComparison) {
  return {
    evaluator: one.evaluator,
    task: one.task,
    metric: one.metric,
    samples: one.pairs,
    questions: one.questions,
    a: one.meanA,
    b: one.meanB,
    difference: one.difference,
    standard_error: one.standardError,
    ci_low: one.low,
    ci_high: one.high,
    p_value: one.test?.p ?? null,
  };
}
