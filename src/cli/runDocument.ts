import { type CellValue, readTable, rowObject } from "../results/index.js";

/** What `run --json` prints and `run()` resolves to. */
export interface RunDocument {
  run_id: string;
  status: "completed" | "failed" | "interrupted";
  /** Rounds finished, those of resumed parts included; round 0 does not count. */
  rounds: number;
  /** Path of the CSV. */
  csv: string;
  /** The last row by column; empty cells null. Null when there is no row. */
  last_row: Record<string, CellValue> | null;
}

/** The last row of a CSV as an object, or null. */
export async function lastRowOf(csv: string): Promise<RunDocument["last_row"]> {
  const row = (await readTable(csv)).rows.at(-1);
  return row === undefined ? null : rowObject(row);
}
