import { columnName, ElenchusError, messageOf } from "../../base/index.js";
import {
  type ClusteredMean,
  MIXEVAL_BENCHMARKS,
  MixEvalScores,
  type OpenedParser,
  type ParsedResponse,
} from "../../scoring/index.js";
import { EvaluationResult } from "../evaluationResult.js";
import type { ChosenQuestion } from "./chosenQuestions.js";
import type { MixEvalConfig } from "./mixEvalOptions.js";

/** A row with its answer and what became of it. */
export interface ScoredQuestion extends ChosenQuestion, ParsedResponse {
  readonly prompt: string;
  readonly response: string;
  /** What of the answer was parsed. */
  readonly read: string;
  readonly reply: string | undefined;
}

/** What a result tells beside its numbers. */
export interface MixEvalTelling {
  readonly config: MixEvalConfig;
  readonly version: string | null;
  /** Rows without a limit. */
  readonly total: number;
  readonly baseModel: boolean;
  readonly parser: Pick<OpenedParser, "name" | "judge" | "totals" | "firstFailure">;
}

/**
 * The result of MixEval for the record: `mixeval`, `mixeval_hard` and `<one of them>_<benchmark>` as metrics; standard
 * errors, with rows of one question as one cluster, and rows without a verdict as details.
 * @throws SCORING_FAILED where no row could be judged; RESULT_INVALID for two benchmarks of one column
 */
export function mixEvalResult(scored: readonly ScoredQuestion[], telling: MixEvalTelling): EvaluationResult {
  const { config, version, total, baseModel, parser } = telling;
  const means = new Map<string, ClusteredMean>();
  const details = new Map<string, number>();
  let unjudged = 0;
  for (const benchmark of MIXEVAL_BENCHMARKS) {
    const rows = scored.filter((one) => one.benchmark === benchmark);
    const scores = new MixEvalScores();
    for (const { row, score } of rows) scores.add(row, score);
    unjudged += scores.unjudged;
    if (rows.length === 0) continue;
    if (parser.name === "judge") details.set(`${benchmark}_unjudged`, scores.unjudged);
    add(means, benchmark, scores.all);
    for (const [name, mean] of scores.means) add(means, `${benchmark}_${columnName(name)}`, mean);
  }
  if (means.size === 0) throw nothingJudged(scored.length, parser.firstFailure);
  const errors = standardErrors(means);
  for (const [name, error] of errors) details.set(`${name}_stderr`, error);
  const names = [...means.keys()].sort((one, other) => rankOf(one) - rankOf(other));
  return new EvaluationResult({
    evaluator: "mixeval",
    primaryMetric: config.primary_metric ?? names[0]!,
    metrics: new Map(names.map((name) => [name, means.get(name)!.mean!])),
    higherIsBetter: new Map(names.map((name) => [name, true])),
    details,
    standardErrors: errors,
    sums: new Map(names.map((name) => [name, sumOf(means.get(name)!)])),
    metadata: {
      version,
      parser: parser.name,
      judge: parser.judge ?? null,
      judge_totals: parser.totals === null ? null : { ...parser.totals },
      base_model: baseModel,
      drawn_by_chance_in_the_original: scored.filter(({ random }) => random).length,
      prompts: new Set(scored.map(({ prompt }) => prompt)).size,
      rows: Object.fromEntries(names.map((name) => [name, means.get(name)!.n])),
    },
    sampled: { used: scored.length, total },
    partial: unjudged > 0 ? `${unjudged} rows without a verdict` : null,
  });
}

function add(means: Map<string, ClusteredMean>, name: string, mean: ClusteredMean): void {
  if (mean.n === 0) return;
  if (means.has(name)) {
    throw new ElenchusError(
      "RESULT_INVALID",
      `Two benchmarks of the questions come to the metric ${name}. Give them names that differ in letters or digits.`,
    );
  }
  means.set(name, mean);
}

/** The benchmarks themselves first. */
function rankOf(name: string): number {
  const place = (MIXEVAL_BENCHMARKS as readonly string[]).indexOf(name);
  return place < 0 ? MIXEVAL_BENCHMARKS.length : place;
}

function standardErrors(means: ReadonlyMap<string, ClusteredMean>): Map<string, number> {
  return new Map(
    [...means].flatMap(([name, { standardError }]) =>
      standardError === null ? [] : [[name, standardError]],
    ),
  );
}

function sumOf({ sum, n }: ClusteredMean) {
  return { numerator: sum, denominator: n, transform: "identity" as const };
}

function nothingJudged(rows: number, why: unknown): ElenchusError {
  const cause = why === undefined ? "" : `, the first because ${messageOf(why).replace(/\.$/, "")}`;
  return new ElenchusError("SCORING_FAILED", `None of ${rows} answers could be judged${cause}.`);
}
