import { columnName, ElenchusError } from "../../base/index.js";
import { type EvalTask, evalTaskBenchmark, metricKey, type PipelineResult } from "../../tasks/index.js";
import { EvaluationResult } from "../evaluationResult.js";
import type { TaskConfig } from "./taskOptions.js";

/** How a result is told beside its numbers. */
export interface ResultTelling {
  readonly evaluator: string;
  readonly primary: string | undefined;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Metrics of which lower ones are better. */
  readonly lower?: ReadonlySet<string>;
}

/** The result of an evaluation that this process ran. */
export function taskResult(config: TaskConfig, task: EvalTask, result: PipelineResult): EvaluationResult {
  return pipelineResult(result, {
    evaluator: "task",
    primary: config.primary_metric,
    metadata: { task },
    lower: lowerIsBetter(task),
  });
}

/**
 * The result of an evaluation for the record: of every scorer the first metric that exists, then all others as details,
 * under `<scorer>_<metric>`.
 * @throws SCORING_FAILED where no row could be judged; RESULT_INVALID for two metrics of one column
 */
export function pipelineResult(
  result: PipelineResult,
  { evaluator, primary: wanted, metadata, lower = new Set() }: ResultTelling,
): EvaluationResult {
  const numbers = named(result);
  const heads = new Set(
    result.scorers.flatMap(({ label, metrics }) => {
      const first = Object.entries(metrics ?? {}).find(([, value]) => value !== null);
      return first === undefined ? [] : [nameOf(label, first[0])];
    }),
  );
  const primary = wanted ?? [...heads][0] ?? "";
  if (numbers.has(primary)) heads.add(primary);
  if (heads.size === 0) throw nothingJudged(result);
  const isHead = ([name]: readonly [string, number]) => heads.has(name);
  const { rows, scorers, failures } = result;
  return new EvaluationResult({
    evaluator,
    primaryMetric: primary,
    metrics: new Map([...numbers].filter(isHead)),
    details: new Map([...numbers].filter((entry) => !isHead(entry))),
    higherIsBetter: new Map([...heads].map((name) => [name, !lower.has(name)])),
    standardErrors: standardErrors(numbers),
    sums: sumsOf(numbers),
    metadata: {
      ...metadata,
      rows,
      failures,
      scorers: scorers.map(({ label, name, metrics, details, judged, unjudged }) => ({
        label,
        name,
        metrics,
        ...(details !== null && { details }),
        judged,
        unjudged,
      })),
    },
    sampled: { used: rows.answered, total: rows.total },
    partial: partialOf(result),
  });
}

/** @throws RESULT_INVALID for two metrics of one column */
function named({ scorers }: PipelineResult): Map<string, number> {
  const numbers = new Map<string, number>();
  for (const { label, metrics } of scorers) {
    for (const [metric, value] of Object.entries(metrics ?? {})) {
      const name = nameOf(label, metric);
      if (value === null || !Number.isFinite(value)) continue;
      if (numbers.has(name)) {
        throw new ElenchusError(
          "RESULT_INVALID",
          `Two metrics come to the column ${name}. Give the scorers labels that differ in letters or digits.`,
        );
      }
      numbers.set(name, value);
    }
  }
  return numbers;
}

/** Metrics that begin with their scorer's name need not say it twice. */
function nameOf(label: string, metric: string): string {
  const [scorer, own] = [columnName(label), columnName(metric)];
  return own === scorer || own.startsWith(`${scorer}_`) ? own : `${scorer}_${own}`;
}

/** Scores are better when they are higher; of a benchmark task's metrics the task itself says. */
function lowerIsBetter(task: EvalTask): Set<string> {
  const benchmark = evalTaskBenchmark(task);
  const label = benchmark?.name.replace(`${benchmark.dialect}:`, "") ?? "";
  const lower = benchmark?.metrics.filter(({ higherIsBetter }) => !higherIsBetter) ?? [];
  return new Set(lower.map((metric) => nameOf(label, metricKey(benchmark!, metric))));
}

/** `x_stderr` is the standard error of `x`; in the harness's names the filter comes behind: `x_stderr_none`. */
function standardErrors(numbers: ReadonlyMap<string, number>): Map<string, number> {
  const errors = [...numbers].flatMap(([name, value]): [string, number][] => {
    const of = name.replace(/_stderr(?=_|$)/, "");
    return of !== name && numbers.has(of) && value >= 0 ? [[of, value]] : [];
  });
  return new Map(errors);
}

/** Shares of rows are exact over several clients. */
function sumsOf(numbers: ReadonlyMap<string, number>) {
  const sums = [...numbers.keys()].flatMap((name) => {
    const label = /^(.*_)accuracy$/.exec(name)?.[1];
    if (label === undefined) return [];
    const [numerator, denominator] = [numbers.get(`${label}num_correct`), numbers.get(`${label}num_total`)];
    if (numerator === undefined || denominator === undefined) return [];
    return [[name, { numerator, denominator, transform: "identity" as const }] as const];
  });
  return new Map(sums);
}

function partialOf({ scorers, rows, shortfall }: PipelineResult): string | null {
  const parts = scorers
    .filter(({ unjudged }) => unjudged > 0)
    .map(({ label, unjudged }) => `${label} without ${unjudged} rows`);
  if (rows.answered < rows.used) parts.unshift(`${rows.used - rows.answered} rows without an answer`);
  if (shortfall !== undefined) parts.unshift(shortfall);
  return parts.length > 0 ? parts.join(", ") : null;
}

function nothingJudged({ scorers, rows }: PipelineResult): ElenchusError {
  const names = scorers.map(({ label }) => label).join(", ");
  return new ElenchusError(
    "SCORING_FAILED",
    `No row could be judged: ${names} gave no metric for ${rows.answered} answers. Check that the rows have the columns that the scorers read.`,
  );
}
