import type { PipelineResult, StageStore } from "../../tasks/index.js";
import { StageCursor } from "../../tasks/pipeline/stages/stageCursor.js";
import type { SampleLog } from "../samples/sampleLog.js";

/** Logs what each row was asked, answered and scored, where there is a log. */
export async function logRows(
  log: SampleLog | undefined,
  task: string,
  { stages, result }: { stages: StageStore; result: PipelineResult },
): Promise<void> {
  if (log === undefined) return;
  const asked = new StageCursor(stages, "preprocessed");
  const answered = new StageCursor(stages, "generated");
  const scored = result.scorers.map(({ label, stage }) => ({
    label,
    cursor: new StageCursor(stages, stage),
  }));
  for await (const { index, row } of stages.rows("postprocessed")) {
    const scores: Record<string, number | null> = {};
    for (const { label, cursor } of scored) {
      const found = (await cursor.at(index)) as { score?: number | null } | undefined;
      scores[label] = found?.score ?? null;
    }
    const { expected_answer: gold, generated_answer } = row as Record<string, unknown>;
    await log.add(task, {
      doc: index,
      requests: [shown(await asked.at(index))],
      answers: [{ ...shown(await answered.at(index)), generated_answer }],
      ...(gold !== undefined && { gold }),
      scores,
    });
  }
}

function shown(row: unknown): object {
  return typeof row === "object" && row !== null ? row : {};
}
