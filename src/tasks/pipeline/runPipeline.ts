import { ElenchusError } from "../../base/index.js";
import type { ScorerRow } from "../../scoring/index.js";
import { answerReader } from "./answerReader.js";
import { answerRows } from "./answerRows.js";
import { requireOwnLabels } from "./evalTaskNames.js";
import type {
  FailedRow,
  PipelineParts,
  PipelineResult,
  PipelineSurroundings,
  ScorerOutcome,
} from "./pipeline.js";
import { scoreRows } from "./scoreRows.js";
import { MemoryStages } from "./stages/memoryStages.js";
import type { StageStore } from "./stages/stageStore.js";

/** Failed rows that are told one by one. */
const TOLD_FAILURES = 100;

/**
 * Runs an evaluation: rows -> questions -> answers -> what scorers see -> scores. Every row is kept after every step;
 * begun again with the same stages it goes on where it was, and with other scorers it asks the model nothing. A row that
 * fails is listed, and the others go on.
 * @throws SCORING_FAILED where no row at all was answered; as `BaseDataset.open`, `answerRows` and `scoreRows`
 */
export async function runPipeline<Sample, Pre, Gen, In extends ScorerRow>(
  { dataset, limit, processor, processorSpec, generator, scorers }: PipelineParts<Sample, Pre, Gen, In>,
  surroundings: PipelineSurroundings = {},
): Promise<PipelineResult> {
  const { stages = new MemoryStages(), signal, progress, logger, judges, threads } = surroundings;
  requireOwnLabels(scorers.map(({ label }) => label));
  const opened = await dataset.open(limit, signal);
  const reader = answerReader<Sample, Gen, In>(processor, processorSpec, threads);
  try {
    let done = 0;
    const total = opened.used * (1 + scorers.length);
    const step = (stage: string) => () => progress?.({ stage, done: ++done, total });
    const taken = new Set<number>();
    const answered = step("answers");
    await answerRows({
      opened,
      processor,
      reader,
      generator,
      stages,
      signal,
      done(index) {
        taken.add(index);
        answered();
      },
    });
    const failures = await failuresOf(stages, taken);
    if (failures.length > 0 && failures.length === taken.size) throw noneAnswered(failures);
    const outcomes: ScorerOutcome[] = [];
    for (const scorer of scorers) {
      outcomes.push(
        await scoreRows({
          scorer,
          stages,
          takes: (index) => taken.has(index),
          signal,
          logger,
          judges,
          threads,
          done: step(scorer.label),
        }),
      );
      // Rows without an answer are not scored, and no longer waited for.
      for (const _ of failures) step(scorer.label)();
    }
    return {
      rows: { total: opened.total, used: taken.size, answered: taken.size - failures.length },
      failures: failures.slice(0, TOLD_FAILURES),
      scorers: outcomes,
      metrics: prefixedMetrics(outcomes),
    };
  } finally {
    reader.end();
    await opened.close();
  }
}

/** Rows that have failed and were not answered since. */
async function failuresOf(stages: StageStore, taken: ReadonlySet<number>): Promise<FailedRow[]> {
  const left = new Set(taken);
  for await (const { index } of stages.rows("postprocessed")) left.delete(index);
  const failures: FailedRow[] = [];
  for await (const { index, row } of stages.rows("failed")) {
    if (left.has(index)) failures.push({ index, ...(row as Omit<FailedRow, "index">) });
  }
  return failures;
}

/** Metrics of all scorers under `<label>:<metric>`, so that none covers another. */
export function prefixedMetrics(outcomes: readonly ScorerOutcome[]): Record<string, number> {
  const entries = outcomes.flatMap(({ label, metrics }) =>
    Object.entries(metrics ?? {}).flatMap(([name, value]): [string, number][] =>
      value === null ? [] : [[`${label}:${name}`, value]],
    ),
  );
  return Object.fromEntries(entries);
}

function noneAnswered(failures: readonly FailedRow[]): ElenchusError {
  const [{ index, stage, message }] = failures as [FailedRow];
  return new ElenchusError(
    "SCORING_FAILED",
    `None of ${failures.length} rows was answered. Row ${index} failed in ${stage}: ${message}`,
    { details: { failures: failures.slice(0, 10) } },
  );
}
