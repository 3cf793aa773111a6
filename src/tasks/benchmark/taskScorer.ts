import { entryFile, thrownThere } from "../../base/index.js";
import type {
  RowScore,
  Scorer,
  ScorerMetrics,
  ScorerRow,
  Scoring,
  ScoringThreads,
} from "../../scoring/index.js";
import type { SampleValue } from "../metrics/metric.js";
import { errorKey, metricKey } from "../run/metricKey.js";
import { aggregateSamples } from "../run/runTasks.js";
import type { Task } from "../task.js";
import { builtInTasks } from "./builtInTasks.js";
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
    score(rows, _params, signal, { threads } = {}) {
      const samples: TaskSample[] = [];
      let found: ScorerMetrics | undefined;
      async function* all() {
        yield* judged(rows, samples, headline, signal);
        // Errors by a bootstrap over many rows take long.
        if (samples.length > 0) found = await taskFigures(task, samples, threads, signal);
      }
      return {
        rows: all(),
        metrics: () => (samples.length === 0 ? null : (found ?? metricsOf(task, samples))),
        details: () => null,
        aggregated: () => null,
      } satisfies Scoring;
    },
  };
}

async function* judged(
  rows: Iterable<ScorerRow> | AsyncIterable<ScorerRow>,
  samples: TaskSample[],
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

/**
 * In a thread, where there is one that has the same task; else here. What fails there is not tried here, where it would
 * hold up everything else.
 * @throws what failed in the thread
 */
async function taskFigures(
  task: Task,
  samples: readonly TaskSample[],
  threads: ScoringThreads | undefined,
  signal: AbortSignal | undefined,
): Promise<ScorerMetrics> {
  if (threads === undefined || !builtInTasks.has(task)) return metricsOf(task, samples);
  const module = entryFile(import.meta.url, "./figureRows").href;
  const rows = threads.threads.begin({ module, params: task.name, modules: false }, false);
  try {
    const outcome = await rows.do([{ row: samples, index: 0 }], signal)[0]!;
    if ("value" in outcome) return outcome.value as ScorerMetrics;
    const { code, message } = outcome.error;
    const said = `The figures of ${task.name} over ${samples.length} rows cannot be had: ${message}`;
    throw thrownThere({ code, message: said });
  } finally {
    rows.end();
  }
}

/** What was measured on a document. */
export interface TaskSample {
  readonly scores: ReadonlyMap<string, SampleValue>;
}

/** The figures of a task over all documents, at least one. */
export function metricsOf(task: Task, samples: readonly TaskSample[]): ScorerMetrics {
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
