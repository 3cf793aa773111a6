import type { Command } from "commander";
import { ElenchusError, loadModules, messageOf, writeAtomic } from "../../base/index.js";
import {
  baseResponse,
  constructPrompt,
  FIVE_SHOT_PREFIX_FREEFORM,
  FIVE_SHOT_PREFIX_MULTIPLECHOICE,
  isChoice,
  type MixEvalRow,
  readQuestions,
  readResponses,
  responseParser,
} from "../../scoring/index.js";
import type { CommonOptions } from "../commonOptions.js";
import { MixEvalDocument } from "../mixEvalDocument.js";
import type { Output } from "../output.js";
import { signalStatus, stoppable } from "../signals.js";
import { shortNumber, textTable } from "../table.js";

interface PromptOptions {
  readonly data: string[];
  readonly baseModel?: boolean;
  readonly output?: string;
}

interface ScoreOptions {
  readonly responses: string[];
  readonly parser: string;
  readonly data: string[];
  readonly baseModel?: boolean;
  readonly randomDraws?: boolean;
  readonly output?: string;
}

/** `elenchus mixeval`: MixEval's prompts, and scores of answers in its files, whoever made them. */
export function addMixEvalCommand(program: Command, output: Output, setExit: (status: number) => void): void {
  const mixeval = program.command("mixeval").description("prompts and files of MixEval");
  mixeval
    .command("prompts")
    .description("write the questions of a release with the exact prompts (JSON lines)")
    .requiredOption("--data <paths...>", "a release's folder (mixeval or mixeval-hard) or its files")
    .option("--base-model", "with the five worked examples that base models get")
    .option("--output <file>", "write them there")
    .action(async (own: PromptOptions) => {
      const rows = await promptRows(own);
      const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
      if (own.output !== undefined) await write(own.output, lines);
      if (program.opts<CommonOptions>().json) output.stdout(`${JSON.stringify(rows)}\n`);
      else output.stdout(own.output === undefined ? lines : `${rows.length} prompts in ${own.output}\n`);
    });
  mixeval
    .command("score")
    .description("score files of answers")
    .requiredOption("--responses <paths...>", "files of answers (JSON lines or an array) or a model's folder")
    .requiredOption("--parser <name>", "rule, extract, judge or a registered parser")
    .option("--data <paths...>", "the release, where the files hold no more than id and response", [])
    .option("--base-model", "cut answers where a base model goes on with questions of its own")
    .option("--random-draws", "draw a letter where rule finds none, as the original does (seed 42)")
    .option("--output <file>", "write the JSON document there")
    .action(async (own: ScoreOptions) => {
      const options = program.opts<CommonOptions>();
      await loadModules(options.import);
      const document = new MixEvalDocument();
      const { received } = await stoppable(async ({ signal }) => await score(own, document, signal));
      if (received !== null) {
        output.stderr("error [INTERRUPTED]: Scoring was stopped; nothing was written.\n");
        setExit(signalStatus(received));
        return;
      }
      const text = `${JSON.stringify(document)}\n`;
      if (own.output !== undefined) await write(own.output, text);
      output.stdout(options.json ? text : summary(document));
      if (document.scores.unjudged > 0)
        output.stderr(`warn: ${document.scores.unjudged} answers have no verdict and count in no mean\n`);
    });
}

async function promptRows({ data, baseModel }: PromptOptions): Promise<(MixEvalRow & { id: string })[]> {
  const files = (await Promise.all(data.map(readQuestions))).flat();
  return files.flatMap(({ rows }) =>
    [...rows].map(([id, row]) => ({
      ...row,
      formated_input: baseModel ? fewShotPrompt(row) : constructPrompt(row),
      id,
    })),
  );
}

/** What a base model reads. */
function fewShotPrompt(row: MixEvalRow): string {
  const prefix = isChoice(row) ? FIVE_SHOT_PREFIX_MULTIPLECHOICE : FIVE_SHOT_PREFIX_FREEFORM;
  return `${prefix}${constructPrompt(row)}\n`;
}

async function score(own: ScoreOptions, document: MixEvalDocument, signal: AbortSignal): Promise<void> {
  const parse = responseParser(own.parser, { randomDraws: own.randomDraws ?? false });
  const questions = (await Promise.all(own.data.map(readQuestions))).flat();
  for (const { file, answers } of await readResponses(own.responses, questions)) {
    for (const answer of answers) {
      signal.throwIfAborted();
      const { row, response } = answer;
      const cut = own.baseModel ? { ...answer, response: baseResponse(row, response) } : answer;
      document.add(file, answer, await parse(cut, signal));
    }
  }
}

function summary(document: MixEvalDocument): string {
  const { scores } = document;
  const cell = (value: number | null) => (value === null ? "" : shortNumber(value));
  const rows = [...scores.benchmarks].map(([name, { score, n }]) => [name, cell(score), String(n)]);
  const error = scores.standardError;
  const spread =
    error === null ? "" : ` ± ${shortNumber(error)} (standard error over ${scores.distinct} questions)`;
  const table = textTable(
    ["benchmark", "score", "n"],
    [["overall", cell(scores.overall), String(scores.count)], ...rows],
  );
  return `${table}\n\noverall ${cell(scores.overall)}${spread}; ${document.random} answers would be drawn by chance\n`;
}

async function write(path: string, text: string): Promise<void> {
  try {
    await writeAtomic(path, text);
  } catch (error) {
    throw new ElenchusError("PATH_UNWRITABLE", `${path} cannot be written: ${messageOf(error)}.`, {
      cause: error,
    });
  }
}
