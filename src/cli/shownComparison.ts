import {
  type ComparedRound,
  type Comparison,
  comparedSamples,
  compareRounds,
  onlyMetric,
  type SampleComparison,
} from "../results/index.js";
import { shortNumber, textTable } from "./table.js";

/** One round set against another. */
export interface ComparedPair extends Comparison {
  readonly a: ComparedRound;
  readonly b: ComparedRound;
}

/** How to compare. */
export interface ComparisonWanted {
  readonly confidence: number;
  /** Only this metric, of samples or of rows. */
  readonly metric: string | undefined;
}

/**
 * Compares the first round with each of the others.
 * @throws NAME_UNKNOWN for a metric that nothing has; as `compareRounds`
 */
export async function comparePairs(
  [a, ...others]: readonly ComparedRound[],
  { confidence, metric }: ComparisonWanted,
): Promise<ComparedPair[]> {
  const pairs: ComparedPair[] = [];
  for (const b of others) {
    const found = await compareRounds(a!, b, { confidence });
    pairs.push({ a: a!, b, ...onlyMetric(found, metric) });
  }
  return pairs;
}

/** A comparison as `--json` prints it. */
export function comparisonDocument({ a, b, samples, cells, notes }: ComparedPair, confidence: number) {
  return {
    a: { run_id: a.run.runId, round: a.round },
    b: { run_id: b.run.runId, round: b.round },
    confidence,
    samples: samples.map((one) => {
      const { p_value, ...facts } = comparedSamples(one);
      const test = one.test === null ? null : `mcnemar ${one.test.method}`;
      return { ...facts, test, p_value, verdict: verdict(one) };
    }),
    cells,
    notes,
  };
}

/** A comparison as people read it. */
export function comparisonText({ a, b, samples, cells, notes }: ComparedPair, confidence: number): string {
  const parts = [`A: ${a.run.runId}, round ${a.round}\nB: ${b.run.runId}, round ${b.round}`];
  if (samples.length > 0) {
    const percent = shortNumber(confidence * 100);
    const head = [
      "task",
      "metric",
      "samples",
      "questions",
      "A",
      "B",
      "B - A",
      `${percent} % interval`,
      "p",
      "B is",
    ];
    parts.push(textTable(head, samples.map(sampleRow)));
  }
  if (cells.length > 0) {
    const rows = cells.map((cell) => [
      cell.column,
      shortNumber(cell.a),
      shortNumber(cell.b),
      shortNumber(cell.difference),
    ]);
    parts.push(
      `Not tested, since no samples of both were logged (log_samples = true): the difference may be chance.\n${textTable(["column", "A", "B", "B - A"], rows)}`,
    );
  }
  if (samples.length + cells.length === 0) parts.push("They have nothing measured in common.");
  return [...parts, ...notes].join("\n\n");
}

function sampleRow(one: SampleComparison): string[] {
  const interval = one.low === null ? "" : `${shortNumber(one.low)} to ${shortNumber(one.high!)}`;
  return [
    one.task,
    one.metric,
    String(one.pairs),
    String(one.questions),
    shortNumber(one.meanA),
    shortNumber(one.meanB),
    shortNumber(one.difference),
    interval,
    one.test === null ? "" : String(Number(one.test.p.toPrecision(3))),
    verdict(one),
  ];
}

/** What the interval says; whether higher is better, a metric's name does not. */
function verdict({ low, high }: SampleComparison): "higher" | "lower" | "unclear" {
  if (low !== null && low > 0) return "higher";
  return high !== null && high < 0 ? "lower" : "unclear";
}
