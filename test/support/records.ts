import { readFileSync } from "node:fs";
import { parse } from "csv-parse/sync";

/** What a run's clock fills; no two runs agree on it. */
const TIMES = new Set(["elapsed_time", "processing_time", "comm_time", "round_time"]);

/** The rows of a CSV by column, as text. */
export function rowsOf(csv: string): Record<string, string>[] {
  return parse(readFileSync(csv), { columns: true });
}

/** The columns of a CSV in their order. */
export function columnsOf(csv: string): string[] {
  return linesOf(csv)[0]!;
}

/** One column from top to bottom, as text. */
export function columnOf(csv: string, column: string): (string | undefined)[] {
  return rowsOf(csv).map((row) => row[column]);
}

/** Head and rows of a CSV but for its times: what must be the same to the bit for the same seed. */
export function withoutTimes(csv: string): string[][] {
  const lines = linesOf(csv);
  const kept = lines[0]!
    .map((column, index) => (TIMES.has(column) ? -1 : index))
    .filter((index) => index >= 0);
  return lines.map((line) => kept.map((index) => line[index]!));
}

function linesOf(csv: string): string[][] {
  return parse(readFileSync(csv));
}
