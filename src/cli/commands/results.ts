import { resolve } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import { ElenchusError } from "../../base/index.js";
import {
  type Chart,
  findRun,
  isChartFile,
  type RecordedRun,
  readTable,
  runDocument,
  shownTable,
  writeChart,
} from "../../results/index.js";
import { type CommonOptions, wholeNumber } from "../commonOptions.js";
import { comparedRounds } from "../comparedRounds.js";
import { CONFUSION, drawnComparison, drawnRuns } from "../drawnResults.js";
import type { Output } from "../output.js";
import { comparePairs, comparisonDocument, comparisonText } from "../shownComparison.js";
import { findSamples, samplesTable } from "../shownSamples.js";
import { textTable } from "../table.js";

interface ResultsOptions {
  metric?: string;
  compare?: boolean;
  plot?: string;
  samples?: string;
  failures?: boolean;
  rounds?: number[];
  confidence: number;
  limit: number;
}

/** `elenchus results RUN...`: what runs have recorded, sample by sample too, and how they differ. */
export function addResultsCommand(program: Command, output: Output): void {
  program
    .command("results")
    .description("show what runs have recorded, browse samples, compare")
    .argument("<run...>", "run id, its folder or its CSV; `collect RUN` fills rows whose jobs were pending")
    .option("--metric <name>", "only this metric beside the round; of samples, the one they are judged by")
    .option(
      "--plot <file>",
      "draw it into a file that ends in .svg or .png; with --metric confusion_matrix, that of a classification",
    )
    .option("--samples <task>", "what a task's examples were asked, answered and scored")
    .option("--failures", "with --samples: only those that are not wholly right")
    .option("--compare", "is it better? the other runs with the first, or rounds of one run")
    .addOption(
      new Option(
        "--rounds <rounds>",
        "with --samples, --compare or --plot: only these rounds, like 3,5",
      ).argParser(roundList),
    )
    .addOption(
      new Option("--confidence <share>", "with --compare: of the intervals").argParser(share).default(0.95),
    )
    .addOption(
      new Option("--limit <n>", "with --samples: rows of the table; -1 shows all")
        .argParser(wholeNumber)
        .default(50),
    )
    .action(async (names: string[], own: ResultsOptions) => {
      requireOneView(own);
      const options = program.opts<CommonOptions>();
      const resultPath = resolve(options.base ?? "./runtime", "results");
      if (names[0] === "collect" && names.length > 1) {
        const { collectResults } = await import("../collectResults.js");
        await collectResults(names.slice(1), { options, output, resultPath });
        return;
      }
      const runs: RecordedRun[] = [];
      for (const name of names) runs.push(await findRun(name, resultPath));
      if (own.samples !== undefined) await showSamples(runs, own, options, output);
      else if (own.compare) await showComparison(runs, own, options, output);
      else if (own.plot !== undefined) await draw(runs, own, options, output);
      else await showRows(runs, own, options, output);
    });
}

type Show = (
  runs: readonly RecordedRun[],
  own: ResultsOptions,
  options: CommonOptions,
  output: Output,
) => Promise<void>;

const showRows: Show = async (runs, { metric }, { json }, output) => {
  if (json) {
    const documents = await Promise.all(runs.map((run) => documentOf(run, metric)));
    output.stdout(`${JSON.stringify(documents)}\n`);
    return;
  }
  for (const run of runs) {
    const { head, rows } = shownTable(await readTable(run.paths.csv), { metric, manifest: run.manifest });
    const status = run.manifest === null ? "" : ` (${run.manifest.status})`;
    output.stdout(`${run.runId}${status}\n${textTable(head, rows)}\n`);
  }
};

/** With `--json` the rows are printed as well. */
const draw: Show = async (runs, own, options, output) => {
  const { metric, rounds } = own;
  await plot(own.plot!, await drawnRuns(runs, { metric, rounds }), output);
  if (!options.json) return;
  const { metric: _, ...whole } = own;
  // A matrix is no column of the rows.
  await showRows(runs, metric === CONFUSION ? whole : own, options, output);
};

async function plot(file: string, chart: Chart, output: Output): Promise<void> {
  await writeChart(file, chart);
  output.stderr(`plot: ${resolve(file)}\n`);
}

const showSamples: Show = async (runs, own, { json }, output) => {
  const { metric, rounds, failures = false } = own;
  const found = await Promise.all(
    runs.map((run) => findSamples(run, { task: own.samples!, failures, metric, rounds })),
  );
  if (json) {
    const documents = runs.map(({ runId }, place) => ({ run_id: runId, rows: found[place]!.samples }));
    output.stdout(`${JSON.stringify(documents)}\n`);
    return;
  }
  for (const [place, { runId }] of runs.entries()) {
    output.stdout(`${runId}\n${samplesTable(found[place]!, own.limit)}\n`);
  }
};

const showComparison: Show = async (runs, own, { json }, output) => {
  const { confidence, metric, rounds } = own;
  const pairs = await comparePairs(await comparedRounds(runs, rounds), { confidence, metric });
  if (own.plot !== undefined) await plot(own.plot, drawnComparison(pairs, confidence), output);
  if (!json) {
    output.stdout(`${pairs.map((pair) => comparisonText(pair, confidence)).join("\n\n\n")}\n`);
    return;
  }
  // Each with what it came to beside the first; of one run, all its rounds.
  const documents = await Promise.all(
    runs.map(async (run) => {
      const of = pairs.filter(({ b }) => b.run === run);
      const compared = of.map((pair) => comparisonDocument(pair, confidence));
      return { ...(await documentOf(run, undefined)), ...(compared.length > 0 && { compared }) };
    }),
  );
  output.stdout(`${JSON.stringify(documents)}\n`);
};

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

function requireOneView({ samples, compare, failures, rounds, plot: file }: ResultsOptions): void {
  if (file !== undefined && samples !== undefined) {
    throw new ElenchusError("USAGE", "--samples are texts and cannot be drawn: leave out --plot.");
  }
  if (file !== undefined && !isChartFile(file)) {
    throw new ElenchusError("USAGE", `--plot ${file}: expected a name that ends in .svg or .png.`);
  }
  if (samples !== undefined && compare) {
    throw new ElenchusError("USAGE", "--samples and --compare are two views: ask for one of them.");
  }
  if (failures && samples === undefined) {
    throw new ElenchusError("USAGE", "--failures needs --samples TASK, which says whose.");
  }
  if (rounds !== undefined && samples === undefined && !compare && file === undefined) {
    throw new ElenchusError("USAGE", "--rounds needs --samples TASK, --compare or --plot FILE.");
  }
}

function roundList(text: string): number[] {
  const parts = text.split(",").map((part) => part.trim());
  if (parts.every((part) => /^\d{1,9}$/.test(part))) return [...new Set(parts.map(Number))];
  throw new InvalidArgumentError(`expected rounds like 3,5, found ${JSON.stringify(text)}.`);
}

function share(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && value > 0 && value < 1) return value;
  throw new InvalidArgumentError(
    `expected a number between 0 and 1, like 0.95, found ${JSON.stringify(text)}.`,
  );
}
