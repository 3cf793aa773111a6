import { ElenchusError } from "../base/index.js";
import type { RoundRecord } from "./recordRow.js";

/** How a CSV and the newest checkpoint stand to each other. */
export interface ResumePoint {
  /** True when the CSV lacks the checkpoint's row. */
  readonly missing: boolean;
  /** The last round that the CSV has; -1 for none. */
  readonly lastRound: number;
}

/**
 * Compares the number of rows with the newest checkpoint's round. Rows are counted, since `results.types` need
 * not have a column for the round.
 * @param firstRound the round of the first row; null when it is not known or there is none
 * @param last the checkpoint's row; null when there is no checkpoint
 * @throws RECORD_CORRUPT when the CSV has neither all rows up to the checkpoint's nor all but the last
 */
export function resumePoint(
  path: string,
  rows: number,
  firstRound: number | null,
  last: RoundRecord | null,
): ResumePoint {
  if (last === null) {
    if (rows > 0) throw rowsDiffer(path, rows, "there is no checkpoint");
    return { missing: false, lastRound: -1 };
  }
  if (rows > 0 && firstRound === null) {
    throw rowsDiffer(path, rows, "neither run.json nor a round column says where they begin");
  }
  const before = last.round - (firstRound ?? last.round);
  if (rows === before) return { missing: true, lastRound: last.round - 1 };
  if (rows === before + 1) return { missing: false, lastRound: last.round };
  throw rowsDiffer(path, rows, `the newest checkpoint is of round ${last.round}`);
}

function rowsDiffer(path: string, rows: number, but: string): ElenchusError {
  return new ElenchusError(
    "RECORD_CORRUPT",
    `${path} has ${rows} rows, but ${but}. Restore the missing file, or start a new run.`,
    { details: { file: path } },
  );
}
