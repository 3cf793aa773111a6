import { ElenchusError } from "../base/index.js";
import type { AttendedRun } from "./attendedRun.js";
import type { CommonOptions } from "./commonOptions.js";
import type { Output } from "./output.js";
import { signalStatus } from "./signals.js";
import { shortNumber, textTable } from "./table.js";

/**
 * Says how a run ended: the document with `--json`, else the last row and where the CSV is.
 * @throws the run's error, after that
 */
export function reportRun(
  { finished, received }: AttendedRun,
  options: Pick<CommonOptions, "json">,
  output: Output,
  setExit: (status: number) => void,
): void {
  const { document, error, reason } = finished;
  if (options.json) {
    output.stdout(`${JSON.stringify(document)}\n`);
  } else {
    const rounds = document.rounds === 1 ? "1 round" : `${document.rounds} rounds`;
    output.stdout(`\nrun ${document.run_id}: ${document.status} after ${rounds} (${reason})\n`);
    if (document.last_row !== null) output.stdout(`${rowTable(document.last_row)}\n`);
    output.stdout(`csv: ${document.csv}\n`);
  }
  if (error === null) return;
  if (received !== null) {
    output.stderr(`error [${error.code}]: ${error.message}\n`);
    setExit(signalStatus(received));
    return;
  }
  throw new ElenchusError(error.code, error.message, {
    cause: error,
    details: { ...error.details, documentPrinted: true },
  });
}

/** Columns shown at the end of a run; all of them are in the CSV. */
const MOST_COLUMNS = 40;

function rowTable(row: Readonly<Record<string, number | string | null>>): string {
  const cells = Object.entries(row).map(([column, value]) => [column, shown(value)]);
  const more = cells.length - MOST_COLUMNS;
  const table = textTable(["column", "last row"], cells.slice(0, MOST_COLUMNS));
  return more > 0 ? `${table}\n... and ${more} more columns` : table;
}

function shown(value: number | string | null): string {
  if (value === null) return "";
  return typeof value === "number" ? shortNumber(value) : value;
}
