import { type Command, InvalidArgumentError, Option } from "commander";
import { createLogger, ElenchusError, loadModules, messageOf, writeAtomic } from "../../base/index.js";
import { openScoringThreads, type Scorer, scorers, usualThreads } from "../../scoring/index.js";
import { modelJudges } from "../../tasks/index.js";
import type { CommonOptions } from "../commonOptions.js";
import type { Output } from "../output.js";
import { ScoreDocument, type ScoreSummary } from "../scoreDocument.js";
import { type Renaming, renaming, scoreInput } from "../scoreInput.js";
import { signalStatus, stoppable } from "../signals.js";
import { shortNumber, textTable } from "../table.js";
import { requireThresholds, type Threshold, threshold } from "../threshold.js";

interface ScoreOptions {
  scorer: string[];
  input: string;
  rename: Renaming[];
  params: Record<string, unknown>;
  output?: string;
  cache?: string;
  rowDeadline: number;
  threshold: Threshold[];
}

/** `elenchus score`: judges prepared rows, nothing else. */
export function addScoreCommand(program: Command, output: Output, setExit: (status: number) => void): void {
  program
    .command("score")
    .description("judge prepared rows: answers that are already there")
    .addOption(
      new Option("--scorer <name[,name]>", "which scorers; `elenchus list scorers` shows them")
        .argParser(names)
        .makeOptionMandatory(),
    )
    .requiredOption("--input <file>", "rows: .jsonl, .json, .csv, .tsv (also .gz) or .parquet")
    .addOption(gathering("--rename <old=new>", "use a column under another name (repeatable)", renaming))
    .addOption(
      new Option("--params <json>", "the scorer's params; with several scorers an object by scorer name")
        .argParser(jsonObject)
        .default({}, "{}"),
    )
    .option("--output <file>", "write the JSON document there")
    .addOption(
      new Option("--row-deadline <seconds>", "how long a scorer may compute on one row")
        .argParser(seconds)
        .default(60),
    )
    .option("--cache <folder>", "keep what judges answer there, and ask no server the same twice")
    .addOption(
      gathering(
        "--threshold <condition>",
        "METRIC>=X or METRIC<=X: exit with 3 where it does not hold (repeatable)",
        threshold,
      ),
    )
    .action(async (own: ScoreOptions) => {
      const options = program.opts<CommonOptions>();
      await loadModules(options.import);
      const chosen = own.scorer.map((name) => scorers.lookup(name));
      const params = paramsByScorer(chosen, own.params);
      const logger = createLogger(options.log, (line, level) =>
        output.stderr(level === "info" ? `${line}\n` : `${level}: ${line}\n`),
      );
      const threads = openScoringThreads({
        threads: usualThreads(),
        deadline: own.rowDeadline,
        settings: { deadline: "--row-deadline" },
        logger,
      });
      const surroundings = { judges: modelJudges({ folder: own.cache, logger }), threads, logger };
      const document = new ScoreDocument();
      try {
        const { received } = await stoppable(async ({ signal }, stopped) => {
          try {
            for (const scorer of chosen) {
              const rows = scoreInput(own.input, own.rename, scorer.columns);
              const scoring = scorer.score(rows, params.get(scorer.name), signal, surroundings);
              await document.add(scorer.name, scoring);
            }
          } catch (error) {
            if (stopped() === null) throw error;
          }
        });
        if (received !== null) {
          output.stderr("error [INTERRUPTED]: Scoring was stopped; nothing was written.\n");
          setExit(signalStatus(received));
          return;
        }
        if (own.output !== undefined) await writeDocument(own.output, document);
        if (options.json) for await (const text of document.text()) output.stdout(text);
        else output.stdout(`${summaryTable(document.summaries)}\n`);
        reportFailures(document.summaries, output);
        requireJudged(document.summaries);
        requireThresholds(own.threshold, namedMetrics(document.summaries), true);
      } finally {
        await threads.close();
        await document.close();
      }
    });
}

function gathering<T>(flags: string, description: string, parse: (text: string) => T): Option {
  return new Option(flags, description)
    .default([], "none")
    .argParser((text: string, before: T[]) => [...before, parse(text)]);
}

function names(text: string): string[] {
  return [...new Set(text.split(",").map((name) => name.trim()))];
}

function seconds(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && value >= 0.1 && value <= 86_400) return value;
  throw new InvalidArgumentError("expected seconds, 0.1 to 86400.");
}

function jsonObject(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new InvalidArgumentError(`expected a JSON object: ${messageOf(error)}.`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new InvalidArgumentError(`expected a JSON object, found ${text}.`);
  }
  return value as Record<string, unknown>;
}

/** One scorer gets the params as they are; of several each its own, by name. */
function paramsByScorer(chosen: readonly Scorer[], given: Record<string, unknown>): Map<string, unknown> {
  if (chosen.length === 1) return new Map([[chosen[0]!.name, given]]);
  const known = chosen.map(({ name }) => name);
  const stray = Object.keys(given).find((name) => !known.includes(name));
  if (stray === undefined) return new Map(Object.entries(given));
  throw new ElenchusError(
    "USAGE",
    `--params has "${stray}", which is none of the scorers ${known.join(", ")}. With several scorers give an object by scorer name.`,
  );
}

async function writeDocument(path: string, document: ScoreDocument): Promise<void> {
  async function* bytes() {
    for await (const text of document.text()) yield Buffer.from(text);
  }
  try {
    await writeAtomic(path, bytes());
  } catch (error) {
    throw new ElenchusError("PATH_UNWRITABLE", `${path} cannot be written: ${messageOf(error)}.`, {
      cause: error,
    });
  }
}

function summaryTable(summaries: readonly ScoreSummary[]): string {
  const rows = summaries.flatMap(({ name, metrics }) =>
    Object.entries(metrics ?? {}).map(([metric, value]) => [
      name,
      metric,
      value === null ? "" : shortNumber(value),
    ]),
  );
  return textTable(["scorer", "metric", "value"], rows);
}

function reportFailures(summaries: readonly ScoreSummary[], output: Output): void {
  for (const { name, total, failed, firstFailure } of summaries) {
    if (firstFailure === undefined) continue;
    output.stderr(
      `${name}: ${failed} of ${total} rows could not be judged; the first is row ${firstFailure.index}: ${firstFailure.error}\n`,
    );
  }
}

function requireJudged(summaries: readonly ScoreSummary[]): void {
  const lost = summaries.filter(({ total, failed }) => total > 0 && failed === total);
  if (lost.length === 0) return;
  const each = lost.map(
    ({ name, total, firstFailure }) =>
      `${name}: ${total} of ${total}, the first because ${firstFailure?.error?.replace(/\.$/, "")}`,
  );
  throw new ElenchusError("SCORING_FAILED", `No row could be judged: ${each.join("; ")}.`, {
    details: { documentPrinted: true },
  });
}

/** By bare name, where only one scorer has it, and as `SCORER.METRIC`. */
function namedMetrics(summaries: readonly ScoreSummary[]): Map<string, number | null> {
  const named = new Map<string, number | null>();
  const twice = new Set<string>();
  for (const { name, metrics } of summaries) {
    for (const [metric, value] of Object.entries(metrics ?? {})) {
      named.set(`${name}.${metric}`, value);
      if (named.has(metric)) twice.add(metric);
      else named.set(metric, value);
    }
  }
  for (const metric of twice) named.delete(metric);
  return named;
}
