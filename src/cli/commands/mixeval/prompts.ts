import type { Command } from "commander";
import { createLogger } from "../../../base/index.js";
import {
  constructPrompt,
  fewShotPrompt,
  type MixEvalRow,
  type QuestionFile,
} from "../../../scoring/index.js";
import type { CommonOptions } from "../../commonOptions.js";
import { mixEvalQuestions } from "../../mixEvalQuestions.js";
import type { Output } from "../../output.js";
import { writeDocument } from "./writeDocument.js";

interface PromptOptions {
  readonly data: string[];
  readonly release?: string;
  readonly baseModel?: boolean;
  readonly output?: string;
}

/** `elenchus mixeval prompts`: the questions of a release with what a model is sent. */
export function addPromptsCommand(mixeval: Command, program: Command, output: Output): void {
  mixeval
    .command("prompts")
    .description("write the questions of a release with the exact prompts (JSON lines)")
    .requiredOption(
      "--data <paths...>",
      "a release's folder (mixeval or mixeval-hard), its files, or a data set of the hub",
    )
    .option("--release <day>", "which release, such as 2024-08-11 (default: the newest there)")
    .option("--base-model", "with the five worked examples that base models get")
    .option("--output <file>", "write them there")
    .action(async (own: PromptOptions) => {
      const { log } = program.opts<CommonOptions>();
      const logger = createLogger(log, (line, level) => output.stderr(`${level}: ${line}\n`));
      const signal = new AbortController().signal;
      const rows = promptRows(
        await mixEvalQuestions(own.data, { release: own.release, logger, signal }),
        own,
      );
      const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
      if (own.output !== undefined) await writeDocument(own.output, lines);
      if (program.opts<CommonOptions>().json) output.stdout(`${JSON.stringify(rows)}\n`);
      else output.stdout(own.output === undefined ? lines : `${rows.length} prompts in ${own.output}\n`);
    });
}

function promptRows(
  files: readonly QuestionFile[],
  { baseModel }: PromptOptions,
): (MixEvalRow & { id: string })[] {
  return files.flatMap(({ rows }) =>
    [...rows].map(([id, row]) => ({
      ...row,
      formated_input: baseModel ? fewShotPrompt(row) : constructPrompt(row),
      id,
    })),
  );
}
