import type { ComparisonReply } from "../../api/index.js";
import { ElenchusError } from "../../base/index.js";
import {
  type ComparedRound,
  comparedSamples,
  compareRounds,
  onlyMetric,
  sampleFiles,
} from "../../results/index.js";
import { type RecordReader, roundsOf } from "./recordReader.js";

/** What is compared with what. */
export interface ComparisonWanted {
  /** `RUN` or `RUN@ROUND`. */
  readonly a: string;
  readonly b: string;
  readonly metric?: string | undefined;
  readonly confidence: number;
}

/** B beside A. @throws RUN_NOT_FOUND, NOT_FOUND for a round that is not there, NAME_UNKNOWN for a metric */
export async function comparison(reader: RecordReader, wanted: ComparisonWanted): Promise<ComparisonReply> {
  const [a, b] = [await sideOf(reader, wanted.a), await sideOf(reader, wanted.b)];
  const { confidence, metric } = wanted;
  const { samples, cells, notes } = onlyMetric(await compareRounds(a, b, { confidence }), metric);
  return {
    a: { run_id: a.run.runId, round: a.round },
    b: { run_id: b.run.runId, round: b.round },
    confidence,
    samples: samples.map(comparedSamples),
    cells: cells.map(({ column: name, a: before, b: after, difference }) => ({
      column: name,
      a: before,
      b: after,
      difference,
    })),
    notes: [...notes],
  };
}

async function sideOf(reader: RecordReader, text: string): Promise<ComparedRound> {
  const [, runId = text, named] = /^(.*)@(\d{1,9})$/s.exec(text) ?? [];
  const read = await reader.read(runId);
  const rounds = roundsOf(read);
  if (named !== undefined) {
    if (rounds.includes(Number(named))) return { run: read.run, round: Number(named) };
    throw new ElenchusError(
      "NOT_FOUND",
      `The run "${runId}" has no round ${named}; it has ${rounds.join(", ")}.`,
    );
  }
  const logged = (await sampleFiles(read.run.paths.samples)).at(-1)?.round;
  const last = logged ?? rounds.at(-1);
  if (last !== undefined) return { run: read.run, round: last };
  throw new ElenchusError("NOT_FOUND", `The run "${runId}" has no rows to compare yet.`);
}
