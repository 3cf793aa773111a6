import type { Metric } from "../metrics/metric.js";
import type { Task } from "../task.js";

/** What a metric of a task is called in results: `acc`, or as the harness writes it `acc,none`. */
export function metricKey(task: Task, metric: Pick<Metric, "name" | "filter">): string {
  return isHarness(task) ? `${metric.name},${metric.filter ?? "none"}` : metric.name;
}

/** What its standard error is called: `acc_stderr`, or `acc_stderr,none`. */
export function errorKey(task: Task, metric: Pick<Metric, "name" | "filter">): string {
  return metricKey(task, { ...metric, name: `${metric.name}_stderr` });
}

/** The first harness had plain names. */
function isHarness({ dialect, name }: Task): boolean {
  return dialect === "harness" && !name.includes("@");
}
