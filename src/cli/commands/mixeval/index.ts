import type { Command } from "commander";
import type { Output } from "../../output.js";
import { addGenerateCommand } from "./generate.js";
import { addPromptsCommand } from "./prompts.js";
import { addMixEvalScoreCommand } from "./score.js";

/** `elenchus mixeval`: MixEval's prompts, answers to them, and scores of answers in its files, whoever made them. */
export function addMixEvalCommand(program: Command, output: Output, setExit: (status: number) => void): void {
  const mixeval = program.command("mixeval").description("prompts, answers and scores of MixEval");
  addPromptsCommand(mixeval, program, output);
  addGenerateCommand(mixeval, program, { output, setExit });
  addMixEvalScoreCommand(mixeval, program, { output, setExit });
}
