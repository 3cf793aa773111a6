import { z } from "zod";
import type { EvaluateResponse, ScoringResult } from "../../api/index.js";
import { ElenchusError } from "../../base/index.js";
import type { RowScore } from "../../scoring/index.js";
import { aggregated, scoreRow } from "../scoring/scoringResult.js";

/** What is read of an evaluation's result. */
const resultSchema = z.object({
  rows: z.object({ used: z.number() }),
  scorers: z.array(
    z.object({
      label: z.string(),
      stage: z.string(),
      metrics: z.record(z.string(), z.number().nullable()).nullable(),
      aggregated: z.record(z.string(), z.record(z.string(), z.unknown())).nullable(),
    }),
  ),
});

interface StageRows {
  rows(stage: string): AsyncIterable<{ readonly index: number; readonly row: unknown }>;
}

/**
 * What an evaluation came to, out of its result and its stages: answers and scores in the order of the rows. A row
 * without an answer has `generated_answer: null` and says why.
 * @throws LIMIT_EXCEEDED for more rows than one reply may have
 */
export async function evaluateResponse(
  result: unknown,
  stages: StageRows,
  maxRows: number,
): Promise<EvaluateResponse> {
  const { rows, scorers } = resultSchema.parse(result);
  if (rows.used > maxRows) {
    throw new ElenchusError(
      "LIMIT_EXCEEDED",
      `The job has ${rows.used} rows and one reply at most ${maxRows} (service.max_request_rows). Its figures are at /api/jobs/ID, its rows page by page at /api/jobs/ID/stages.`,
    );
  }
  const answers = new Map<number, EvaluateResponse["generations"][number]>();
  for await (const { index, row } of stages.rows("failed")) {
    answers.set(index, { generated_answer: null, error: (row as { message?: unknown }).message });
  }
  for await (const { index, row } of stages.rows("postprocessed")) {
    answers.set(index, { generated_answer: (row as { generated_answer?: unknown }).generated_answer });
  }
  const indices = [...answers.keys()].sort((a, b) => a - b);
  const scores: Record<string, ScoringResult> = {};
  for (const { label, stage, metrics, aggregated: named } of scorers) {
    const found = new Map<number, RowScore>();
    const unscored = `unscored:${stage.slice("scored:".length)}`;
    for (const one of [unscored, stage]) {
      for await (const { index, row } of stages.rows(one)) found.set(index, row as RowScore);
    }
    scores[label] = {
      score_rows: indices.map((index) => {
        const row = found.get(index);
        return row === undefined ? { score: null, error: "The row has no answer." } : scoreRow(row);
      }),
      aggregated_results: aggregated(named, metrics),
    };
  }
  return { generations: indices.map((index) => answers.get(index)!), scores };
}
