import type { Command } from "commander";
import { constructPrompt, fewShotPrompt, type MixEvalRow, readQuestions } from "../../../scoring/index.js";
import type { CommonOptions } from "../../commonOptions.js";
import type { Output } from "../../output.js";
import { writeDocument } from "./writeDocument.js";

interface PromptOptions {
  readonly data: string[];
  readonly baseModel?: boolean;
  readonly output?: string;
}

/** `elenchus mixeval prompts`: the questions of a release with what a model is sent. */
export function addPromptsCommand(mixeval: Command, program: Command, output: Output): void {
  mixeval
    .command("prompts")
    .description("write the questions of a release with the exact prompts (JSON lines)")
    .requiredOption("--data <paths...>", "a release's folder (mixeval or mixeval-hard) or its files")
    .option("--base-model", "with the five worked examples that base models get")
    .option("--output <file>", "write them there")
    .action(async (own: PromptOptions) => {
      const rows = await promptRows(own);
      const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
      if (own.output !== undefined) await writeDocument(own.output, lines);
      if (program.opts<CommonOptions>().json) output.stdout(`${JSON.stringify(rows)}\n`);
      else output.stdout(own.output === undefined ? lines : `${rows.length} prompts in ${own.output}\n`);
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
