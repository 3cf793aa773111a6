import { type Command, Option } from "commander";
import { createLogger, ElenchusError, loadModules, messageOf } from "../../../base/index.js";
import { MIXEVAL_BENCHMARKS, type MixEvalBenchmark, type MixEvalScores } from "../../../scoring/index.js";
import { type CommonOptions, positiveNumber } from "../../commonOptions.js";
import { MixEvalDocument } from "../../mixEvalDocument.js";
import { type ScoredAnswers, scoreMixEval } from "../../mixEvalScoring.js";
import type { Output } from "../../output.js";
import { signalStatus, stoppable } from "../../signals.js";
import { shortNumber, textTable } from "../../table.js";
import { referenceOption } from "./referenceOption.js";
import { writeDocument } from "./writeDocument.js";

interface ScoreOptions {
  readonly responses: string[];
  readonly parser: string;
  readonly judgeModel?: unknown;
  readonly cache?: string;
  readonly concurrency: number;
  readonly data: string[];
  readonly release?: string;
  readonly benchmark?: MixEvalBenchmark;
  readonly baseModel?: boolean;
  readonly randomDraws?: boolean;
  readonly output?: string;
  readonly outputDir?: string;
}

interface CommandPlace {
  readonly output: Output;
  readonly setExit: (status: number) => void;
}

/** `elenchus mixeval score`: scores of answers in MixEval's files, whoever made them. */
export function addMixEvalScoreCommand(mixeval: Command, program: Command, place: CommandPlace): void {
  mixeval
    .command("score")
    .description("score files of answers")
    .requiredOption(
      "--responses <paths...>",
      "files of answers (JSON lines or an array) or folders of models",
    )
    .requiredOption("--parser <name>", "rule, extract, judge or a registered parser")
    .addOption(referenceOption("--judge-model <reference>", "who judges"))
    .option("--cache <folder>", "keep what a judge behind a server answers there, and ask nothing twice")
    .option("--concurrency <n>", "questions to the judge at a time", positiveNumber, 8)
    .option("--data <paths...>", "the release, where the files hold no more than id and response", [])
    .option("--release <day>", "which release of --data, where it has several")
    .addOption(new Option("--benchmark <name>", "only answers of this one").choices([...MIXEVAL_BENCHMARKS]))
    .option("--base-model", "cut answers where a base model goes on with questions of its own")
    .option("--random-draws", "draw a letter where rule finds none, as the original does (seed 42)")
    .option("--output <file>", "write the JSON document there")
    .option("--output-dir <folder>", "write verdicts and score.json there, laid out as MixEval does")
    .action(async (own: ScoreOptions) => await runScoring(own, program.opts<CommonOptions>(), place));
}

async function runScoring(own: ScoreOptions, options: CommonOptions, place: CommandPlace): Promise<void> {
  const { output, setExit } = place;
  await loadModules(options.import);
  const logger = createLogger(options.log, (line, level) =>
    output.stderr(level === "info" ? `${line}\n` : `${level}: ${line}\n`),
  );
  const document = new MixEvalDocument();
  const { received, value } = await stoppable(async ({ signal }, stopped) => {
    try {
      return await scoreMixEval(own, document, { logger, signal });
    } catch (error) {
      if (stopped() === null) throw error;
      return null;
    }
  });
  if (received !== null || value === null) {
    const kept = own.outputDir === undefined ? "nothing was written" : "verdicts so far are kept";
    output.stderr(`error [INTERRUPTED]: Scoring was stopped; ${kept}.\n`);
    setExit(signalStatus(received ?? "SIGINT"));
    return;
  }
  const text = `${JSON.stringify(document)}\n`;
  if (own.output !== undefined) await writeDocument(own.output, text);
  output.stdout(options.json ? text : summary(document, value));
  warn(document, value, output);
  const { unjudged, count } = document.scores;
  if (unjudged === 0 || count > 0) return;
  throw new ElenchusError(
    "SCORING_FAILED",
    `No answer could be judged: ${unjudged} of ${unjudged}, the first because ${messageOf(value.firstFailure).replace(/\.$/, "")}.`,
    { details: { documentPrinted: true } },
  );
}

function summary(document: MixEvalDocument, { totals, held }: ScoredAnswers): string {
  const { scores, models } = document;
  const rows = [...scores.benchmarks].map(([name, { score, n }]) => [name, cell(score), String(n)]);
  const table = textTable(
    ["benchmark", "score", "n"],
    [["overall", cell(scores.overall), String(scores.count)], ...rows],
  );
  const error = scores.standardError;
  const spread =
    error === null ? "" : ` ± ${shortNumber(error)} (standard error over ${scores.distinct} questions)`;
  const lines = [
    ...(models.size > 1 ? [modelTable(document), ""] : []),
    table,
    "",
    `overall ${scores.overall === null ? "has no score" : cell(scores.overall)}${spread}; ${document.random} answers would be drawn by chance`,
  ];
  if (totals !== null || held > 0) {
    const { calls = 0, kept = 0, input_tokens: read = 0, output_tokens: written = 0 } = totals ?? {};
    lines.push(
      `judge: ${calls} calls, ${kept} answers from the cache or to equal questions, ${held} verdicts from files; ${read} tokens read, ${written} written`,
    );
  }
  return `${lines.join("\n")}\n`;
}

function modelTable({ models }: MixEvalDocument): string {
  const rows = [...models].map(([{ model, benchmark, version }, scores]) => [
    model,
    benchmark,
    version ?? "",
    cell(scores.overall),
    spreadOf(scores),
    String(scores.count),
  ]);
  return textTable(["model", "benchmark", "version", "score", "±", "n"], rows);
}

function spreadOf({ standardError }: MixEvalScores): string {
  return cell(standardError);
}

function cell(value: number | null): string {
  return value === null ? "" : shortNumber(value);
}

function warn(document: MixEvalDocument, { unstated, firstFailure }: ScoredAnswers, output: Output): void {
  const places = [...document.models.keys()];
  const mixed = ["model", "benchmark", "version"] as const;
  const several = mixed.filter((key) => new Set(places.map((place) => place[key])).size > 1);
  if (several.length > 0) {
    const narrower = several.includes("benchmark") ? ", or choose with --benchmark" : "";
    output.stderr(
      `warn: the overall score is over answers that differ in ${several.join(" and ")}; see each by itself${narrower}\n`,
    );
  }
  if (unstated > 0)
    output.stderr(
      `warn: ${unstated} verdicts from files are none that their judge's words state; MixEval makes up by chance what it cannot read\n`,
    );
  const { unjudged } = document.scores;
  if (unjudged === 0) return;
  const why = firstFailure === undefined ? "" : `; the first because ${messageOf(firstFailure)}`;
  output.stderr(`warn: ${unjudged} answers have no verdict and count in no mean${why}\n`);
}
