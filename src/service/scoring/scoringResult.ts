import type { ScoringResult } from "../../api/index.js";
import { ElenchusError } from "../../base/index.js";
import type { NamedResults, RowScore, ScorerMetrics, ScoringSurroundings } from "../../scoring/index.js";
import { type ChosenScorer, scorerOf } from "./scoringFunctions.js";

type Row = Readonly<Record<string, unknown>>;

/**
 * Judges rows by several scorers, each by itself.
 * @throws REQUEST_INVALID where a column that a scorer needs is in no row; CONFIG_INVALID for params that do not fit
 */
export async function scoreAll(
  rows: readonly Row[],
  chosen: readonly ChosenScorer[],
  surroundings: ScoringSurroundings & { readonly signal: AbortSignal },
): Promise<Record<string, ScoringResult>> {
  const results: [string, ScoringResult][] = [];
  for (const one of chosen) results.push([one.label, await scoreBy(one, rows, surroundings)]);
  return Object.fromEntries(results);
}

async function scoreBy(
  chosen: ChosenScorer,
  rows: readonly Row[],
  { signal, ...surroundings }: ScoringSurroundings & { readonly signal: AbortSignal },
): Promise<ScoringResult> {
  const { scorer, params } = scorerOf(chosen);
  requireColumns(scorer, rows);
  const scoring = scorer.score(rows, params, signal, surroundings);
  const scored: ScoringResult["score_rows"] = [];
  for await (const row of scoring.rows) scored.push(scoreRow(row));
  return { score_rows: scored, aggregated_results: aggregated(scoring.aggregated(), scoring.metrics()) };
}

/** What a scorer said of a row, as Llama Stack shows it; why a row could not be judged stands in `error`. */
export function scoreRow(row: RowScore): ScoringResult["score_rows"][number] {
  const { index: _, score, feedback, ...rest } = row;
  return {
    ...rest,
    // A verdict that is no number is a score by its name.
    score: score ?? row.category ?? null,
    ...(feedback !== undefined && { judge_feedback: feedback }),
  };
}

/** Figures by aggregation function; of scorers that have figures of their own kind under `metrics`. */
export function aggregated(
  named: NamedResults | null,
  metrics: ScorerMetrics | null,
): Record<string, Record<string, unknown>> {
  if (named !== null) {
    return Object.fromEntries(Object.entries(named).map(([name, figures]) => [name, { ...figures }]));
  }
  return metrics === null ? {} : { metrics: { ...metrics } };
}

/** One that is missing everywhere is no fault of a row. */
function requireColumns(
  { name, columns }: { name: string; columns: readonly string[] },
  rows: readonly Row[],
) {
  if (rows.length === 0) return;
  const missing = columns.filter((column) => !rows.some((row) => Object.hasOwn(row, column)));
  if (missing.length === 0) return;
  throw new ElenchusError(
    "REQUEST_INVALID",
    `${name} needs the column${missing.length > 1 ? "s" : ""} ${missing.join(", ")}, which no row has. The columns are ${Object.keys(rows[0]!).join(", ") || "none"}.`,
    { details: { param: "input_rows" } },
  );
}
