import { readFile } from "node:fs/promises";
import { ElenchusError, messageOf } from "../base/index.js";
import { cellValue } from "./cells.js";
import { parseRecords, RecordScanner } from "./csvRecords.js";

/** The value of a cell: a number, text, or null when it is empty. */
export type CellValue = number | string | null;

/** A CSV in memory. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly ReadonlyMap<string, CellValue>[];
}

/**
 * Reads a run's CSV, also while the run goes on: a last line that is not whole yet is left out.
 * @throws RECORD_CORRUPT when it is not CSV, or a row has another number of cells than the header
 */
export async function readTable(path: string): Promise<Table> {
  const bytes = await readFile(path);
  const whole = bytes.subarray(0, new RecordScanner().ends(bytes).at(-1) ?? 0);
  let records: string[][];
  try {
    records = parseRecords(whole);
  } catch (error) {
    throw new ElenchusError(
      "RECORD_CORRUPT",
      `${path} is not the CSV of a run: ${messageOf(error)}. Restore the file.`,
      { cause: error, details: { file: path } },
    );
  }
  const [columns = [], ...rows] = records;
  return {
    columns,
    rows: rows.map((cells) => new Map(columns.map((column, index) => [column, cellValue(cells[index]!)]))),
  };
}

/** A row as a plain object by column: what `--json` prints. */
export function rowObject(row: ReadonlyMap<string, CellValue>): Record<string, CellValue> {
  return Object.fromEntries(row);
}
