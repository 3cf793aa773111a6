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
    if (document.last_row !== null) {
      const cells = Object.entries(document.last_row).map(([column, value]) => [column, shown(value)]);
      output.stdout(`${textTable(["column", "last row"], cells)}\n`);
    }
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

function shown(value: number | string | null): string {
  if (value === null) return "";
  return typeof value === "number" ? shortNumber(value) : value;
}
