import { ElenchusError } from "../../base/index.js";
import { readTable } from "../readTable.js";
import type { RecordedRun } from "../recordedRuns.js";
import { type SampleFile, sampleFiles } from "../samples/sampleIndex.js";
import { type PairedDifference, pairedDifference } from "./pairedDifference.js";
import { pairSamples } from "./pairSamples.js";

/** A round of a run. */
export interface ComparedRound {
  readonly run: RecordedRun;
  readonly round: number;
}

/** A task's samples in two rounds, by one metric. */
export interface SampleComparison extends PairedDifference {
  readonly evaluator: string;
  readonly task: string;
  readonly metric: string;
}

/** A column of two rows, where no samples tell more. */
export interface CellComparison {
  readonly evaluator: string | null;
  readonly column: string;
  readonly a: number;
  readonly b: number;
  readonly difference: number;
}

/** What two rounds have in common. */
export interface Comparison {
  readonly samples: readonly SampleComparison[];
  /** Without a test: what is not known sample by sample may differ by chance. */
  readonly cells: readonly CellComparison[];
  /** What a reader must know of the samples that were left out. */
  readonly notes: readonly string[];
}

/**
 * Compares B with A: on the samples that both have logged of a task, and by the metrics of their rows where they have
 * none in common.
 * @param confidence of the intervals, for example 0.95
 * @throws USAGE for a round without a row; RECORD_CORRUPT
 */
export async function compareRounds(
  a: ComparedRound,
  b: ComparedRound,
  { confidence }: { confidence: number },
): Promise<Comparison> {
  const [filesA, filesB] = await Promise.all([filesOf(a), filesOf(b)]);
  const samples: SampleComparison[] = [];
  const notes: string[] = [];
  for (const fileA of filesA) {
    const { evaluator, task } = fileA;
    const fileB = filesB.find((file) => file.evaluator === evaluator && file.task === task);
    if (fileB === undefined) continue;
    const { pairs, alone, different } = await pairSamples(fileA.path, fileB.path);
    if (alone > 0) notes.push(`${task}: ${alone} samples are in one of the two only and are left out.`);
    if (different > 0) {
      notes.push(`${task}: ${different} samples have other right answers in B than in A and are left out.`);
    }
    for (const [metric, list] of pairs) {
      const seed = `${evaluator}/${task}/${metric}`;
      samples.push({ evaluator, task, metric, ...pairedDifference(list, { confidence, seed }) });
    }
  }
  const tested = new Set(samples.map(({ evaluator }) => evaluator));
  const cells = (await cellsOf(a, b)).filter(({ evaluator }) => evaluator === null || !tested.has(evaluator));
  return { samples, cells, notes };
}

async function filesOf({ run, round }: ComparedRound): Promise<SampleFile[]> {
  return (await sampleFiles(run.paths.samples)).filter((file) => file.round === round);
}

/** The test scalar and the evaluators' metrics that both rows have. */
async function cellsOf(a: ComparedRound, b: ComparedRound): Promise<CellComparison[]> {
  const [rowA, rowB] = await Promise.all([rowOf(a), rowOf(b)]);
  const described = { ...b.run.manifest?.columns, ...a.run.manifest?.columns };
  return [...rowA].flatMap(([column, valueA]) => {
    const valueB = rowB.get(column);
    const evaluator = Object.hasOwn(described, column) ? described[column]!.evaluator : null;
    const measured = evaluator !== null || column === "accuracy" || column.startsWith("evaluation_");
    if (!measured || typeof valueA !== "number" || typeof valueB !== "number") return [];
    return [{ evaluator, column, a: valueA, b: valueB, difference: valueB - valueA }];
  });
}

async function rowOf({ run, round }: ComparedRound) {
  const { rows } = await readTable(run.paths.csv);
  const first = run.manifest?.first_round ?? null;
  const row = rows.find((cells, index) => (cells.get("round") ?? (first ?? 1) + index) === round);
  if (row !== undefined) return row;
  throw new ElenchusError("USAGE", `The run "${run.runId}" has no row of round ${round}.`, {
    details: { run_id: run.runId, round },
  });
}
