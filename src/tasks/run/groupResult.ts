import type { TaskGroup } from "../groups.js";
import { pooledError } from "../metrics/standardError.js";
import type { TaskResult } from "./runTasks.js";

/** What the tasks of a group come to together. */
export interface GroupResult {
  readonly metrics: ReadonlyMap<string, number>;
  readonly standardErrors: ReadonlyMap<string, number>;
}

/**
 * Means over the tasks of a group, for each metric that all of them have: by documents with a pooled standard error,
 * as the harness does, or of all tasks alike, standard errors included, as lighteval does. Undefined for a group that
 * is only a name.
 * @param results at least one
 */
export function groupResult(
  { average }: Pick<TaskGroup, "average">,
  results: readonly TaskResult[],
): GroupResult | undefined {
  if (average === "none" || results.length === 0) return undefined;
  const keys = [...results[0]!.metrics.keys()].filter((key) =>
    results.every(({ metrics }) => metrics.has(key)),
  );
  const sizes = results.map(({ samples }) => (average === "documents" ? samples.length : 1));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const weighted = (values: readonly number[]) =>
    values.reduce((sum, value, place) => sum + value * sizes[place]!, 0) / total;

  const metrics = new Map<string, number>();
  const standardErrors = new Map<string, number>();
  for (const key of keys) {
    metrics.set(key, weighted(results.map((result) => result.metrics.get(key)!)));
    const errors = results.map((result) => result.standardErrors.get(key));
    const error =
      average === "documents"
        ? pooledError(errors.map((one, place) => ({ size: sizes[place]!, error: one })))
        : errors.some((one) => one === undefined)
          ? undefined
          : weighted(errors.map((one) => one ?? 0));
    if (error !== undefined) standardErrors.set(key, error);
  }
  return { metrics, standardErrors };
}
