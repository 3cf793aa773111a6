import { resolve } from "node:path";
import type { Command } from "commander";
import { findRun, type RecordedRun, readTable, runDocument, shownTable } from "../../results/index.js";
import type { CommonOptions } from "../commonOptions.js";
import type { Output } from "../output.js";
import { textTable } from "../table.js";

/** `elenchus results RUN...`: what runs have recorded, as a table or as JSON. */
export function addResultsCommand(program: Command, output: Output): void {
  program
    .command("results")
    .description("show what runs have recorded")
    .argument("<run...>", "run id, its folder or its CSV")
    .option("--metric <name>", "only this metric beside the round")
    .action(async (names: string[], own: { metric?: string }) => {
      const options = program.opts<CommonOptions>();
      const resultPath = resolve(options.base ?? "./runtime", "results");
      const runs: RecordedRun[] = [];
      for (const name of names) runs.push(await findRun(name, resultPath));
      if (options.json) {
        const documents = await Promise.all(runs.map((run) => documentOf(run, own.metric)));
        output.stdout(`${JSON.stringify(documents)}\n`);
        return;
      }
      for (const run of runs) {
        const { head, rows } = shownTable(await readTable(run.paths.csv), {
          metric: own.metric,
          manifest: run.manifest,
        });
        const status = run.manifest === null ? "" : ` (${run.manifest.status})`;
        output.stdout(`${run.runId}${status}\n${textTable(head, rows)}\n`);
      }
    });
}

/** With a metric, only the columns that the table would show. */
async function documentOf(run: RecordedRun, metric: string | undefined): ReturnType<typeof runDocument> {
  const document = await runDocument(run);
  if (metric === undefined) return document;
  const { head } = shownTable(await readTable(run.paths.csv), { metric, manifest: run.manifest });
  const rows = document.rows.map((row) =>
    Object.fromEntries(head.map((column) => [column, row[column] ?? null])),
  );
  return { ...document, rows };
}
