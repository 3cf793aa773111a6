import type { Command } from "commander";
import type { CommonOptions } from "../commonOptions.js";
import type { Output } from "../output.js";
import { type ReproducedRun, reproduceRun } from "../reproduceRun.js";
import { signalStatus } from "../signals.js";
import { textTable } from "../table.js";

/** `elenchus reproduce RUN`: runs it again from its manifest and compares every number but times. */
export function addReproduceCommand(
  program: Command,
  output: Output,
  setExit: (status: number) => void,
): void {
  program
    .command("reproduce")
    .description("run a recorded run again from its manifest and compare all that it measured, but times")
    .argument("<run>", "run id, its folder or its CSV; --run-id ID keeps the repetition under that id")
    .action(async (name: string) => {
      const options = program.opts<CommonOptions>();
      const reproduced = await reproduceRun(name, options, output);
      const { differences, received, remarks } = reproduced;
      if (received !== null) {
        output.stderr("error [INTERRUPTED]: The repetition was stopped before it had all rounds.\n");
        setExit(signalStatus(received));
        return;
      }
      const equal = differences.length === 0;
      if (options.json) {
        output.stdout(`${JSON.stringify({ equal, differences })}\n`);
        for (const remark of equal ? [] : remarks) output.stderr(`note: ${remark}\n`);
      } else {
        output.stdout(`${report(reproduced)}\n`);
      }
      if (!equal) setExit(1);
    });
}

/** Differences that a terminal shows; `--json` has them all. */
const MOST_DIFFERENCES = 50;

function report({ run, rounds, compared, left, differences, remarks, csv }: ReproducedRun): string {
  const what = `${rounds === 1 ? "1 round" : `${rounds} rounds`}, ${compared.length} columns`;
  const not = left.length === 0 ? "" : ` (not compared: ${left.join(", ")})`;
  const kept = csv === null ? [] : [`csv: ${csv}`];
  if (differences.length === 0)
    return [`\nrun ${run.runId}: reproduced, equal in ${what}${not}`, ...kept].join("\n");
  const rows = differences
    .slice(0, MOST_DIFFERENCES)
    .map(({ round, column, recorded, reproduced }) => [
      String(round),
      column,
      cell(recorded),
      cell(reproduced),
    ]);
  const more = differences.length - rows.length;
  const cells = differences.length === 1 ? "1 cell" : `${differences.length} cells`;
  return [
    `\nrun ${run.runId}: not reproduced, ${cells} of ${what} differ${not}`,
    textTable(["round", "column", "recorded", "reproduced"], rows),
    ...(more > 0 ? [`... and ${more} more; --json has them all`] : []),
    ...remarks.map((remark) => `note: ${remark}`),
    ...kept,
  ].join("\n");
}

/** To the last digit: that may be all that differs. */
function cell(value: number | string | null): string {
  return value === null ? "" : String(value);
}
