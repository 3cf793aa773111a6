import type { RowScore, Scorer, ScorerMetrics, ScorerRow, Scoring } from "../../scoring/index.js";
import type { SampleValue } from "../metrics/metric.js";
import { errorKey, metricKey } from "../run/metricKey.js";
import { aggregateSamples } from "../run/runTasks.js";
import type { Task } from "../task.js";
import { readValue, type WrittenValue } from "./writtenAnswers.js";

/**
 * The metrics of a benchmark task as a scorer: what was measured on each document is brought together as the task's own
 * system does, standard errors included.
 */
export function taskScorer(task: Task): Scorer {
  const [first] = task.metrics;
  const headline = first === undefined ? undefined : metricKey(task, first);
  return {
    name: task.name,
    description: task.description,
    columns: ["task_values"],
    score(rows, _params, signal) {
      const samples: { scores: ReadonlyMap<string, SampleValue> }[] = [];
      return {
        rows: judged(rows, samples, headline, signal),
        metrics: () => (samples.length === 0 ? null : metricsOf(task, samples)),
        details: () => null,
        aggregated: () => null,
      } satisfies Scoring;
    },
  };
}

async function* judged(
  rows: Iterable<ScorerRow> | AsyncIterable<ScorerRow>,
  samples: { scores: ReadonlyMap<string, SampleValue> }[],
  headline: string | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<RowScore> {
  let index = 0;
  for await (const row of rows) {
    signal?.throwIfAborted();
    const values = row.task_values as Readonly<Record<string, WrittenValue>>;
    const scores = new Map(Object.entries(values).map(([key, value]) => [key, readValue(value)] as const));
    samples.push({ scores });
    const value = headline === undefined ? undefined : scores.get(headline);
    const score = typeof value === "number" && Number.isFinite(value) ? value : null;
    yield { index: index++, score, metadata: { values } };
  }
}

function metricsOf(
  task: Task,
  samples: readonly { scores: ReadonlyMap<string, SampleValue> }[],
): ScorerMetrics {
  const { metrics, standardErrors } = aggregateSamples(task, samples);
  const entries = task.metrics.flatMap((metric) => {
    const key = metricKey(task, metric);
    const error = standardErrors.get(key);
    return [
      [key, metrics.get(key) ?? null] as const,
      ...(error === undefined ? [] : [[errorKey(task, metric), error] as const]),
    ];
  });
  return Object.fromEntries(entries);
}
