import type { Samples } from "../../api/index.js";
import { ElenchusError, unknownName } from "../../base/index.js";
import {
  failuresIn,
  filesOfTask,
  type RecordedRun,
  readSamples,
  type SampleFile,
  sampleFiles,
  sampleText,
  scoreOf,
} from "../../results/index.js";

/** Which samples. */
export interface SamplesWanted {
  /** Absent: of all tasks. */
  readonly task?: string | undefined;
  /** Absent: the last round with samples. */
  readonly round?: number | undefined;
  readonly evaluator?: string | undefined;
  /** Absent: the first of the first sample. */
  readonly metric?: string | undefined;
  readonly failures: boolean;
  readonly passes: boolean;
  readonly offset: number;
  readonly limit: number;
}

/**
 * A page of the samples of a run. Files are read from beginning to end, and only the page is kept.
 * @throws NOT_FOUND where there are none; NAME_UNKNOWN for another task or metric
 */
export async function samplePage({ runId, paths }: RecordedRun, wanted: SamplesWanted): Promise<Samples> {
  const files = chosenFiles(runId, await sampleFiles(paths.samples), wanted);
  const metrics = new Set<string>();
  const page: Samples["samples"] = [];
  let { metric } = wanted;
  let total = 0;
  for (const file of files) {
    for await (const sample of readSamples(file.path)) {
      for (const name of Object.keys(sample.scores)) metrics.add(name);
      metric ??= Object.keys(sample.scores)[0];
      const failed = failuresIn([sample], metric).length > 0;
      if ((wanted.failures && !failed) || (wanted.passes && failed)) continue;
      total += 1;
      if (total <= wanted.offset || page.length >= wanted.limit) continue;
      const { evaluator, task, doc, requests, answers, scores } = sample;
      page.push({
        ...{ round: file.round, evaluator, task, doc, ...sampleText(sample) },
        score: scoreOf(sample, metric) as Samples["samples"][number]["score"],
        scores: { ...scores },
        requests: [...requests],
        answers: [...answers],
      });
    }
  }
  if (wanted.metric !== undefined && metrics.size > 0 && !metrics.has(wanted.metric)) {
    throw unknownName("metric of samples", wanted.metric, [...metrics]);
  }
  return {
    task: wanted.task ?? null,
    metric: metric ?? null,
    metrics: [...metrics],
    total,
    offset: wanted.offset,
    samples: page,
  };
}

function chosenFiles(runId: string, all: readonly SampleFile[], wanted: SamplesWanted): SampleFile[] {
  if (all.length === 0) {
    throw new ElenchusError(
      "NOT_FOUND",
      `The run "${runId}" has no samples. Evaluators log them with log_samples = true in their table.`,
    );
  }
  const ofTask = wanted.task === undefined ? [...all] : filesOfTask(all, wanted.task);
  const round = wanted.round ?? Math.max(...ofTask.map((file) => file.round));
  const found = ofTask.filter(
    (file) => file.round === round && (wanted.evaluator === undefined || file.evaluator === wanted.evaluator),
  );
  if (found.length > 0) return found;
  const rounds = [...new Set(ofTask.map((file) => file.round))];
  throw new ElenchusError(
    "NOT_FOUND",
    `The run "${runId}" has no such samples in round ${round}; it has some in ${rounds.join(", ")}.`,
  );
}
