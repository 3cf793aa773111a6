import type { Metric } from "../metrics/metric.js";
import type { Task } from "../task.js";

/**
 * What a metric of a task is called in results: `acc`, with a filter `exact_match,strict-match`, and in the harness
 * always with one: `acc,none`.
 */
export function metricKey(task: Task, { name, filter }: Pick<Metric, "name" | "filter">): string {
  const shown = filter ?? (isHarness(task) ? "none" : undefined);
  return shown === undefined ? name : `${name},${shown}`;
}

/** What its standard error is called: `acc_stderr`, or `acc_stderr,none`. */
export function errorKey(task: Task, metric: Pick<Metric, "name" | "filter">): string {
  return metricKey(task, { ...metric, name: `${metric.name}_stderr` });
}

/** The first harness had plain names. */
function isHarness({ dialect, name }: Task): boolean {
  return dialect === "harness" && !name.includes("@");
}
