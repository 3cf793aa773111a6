import { ElenchusError } from "../../base/index.js";
import { isChoice, type MixEvalRow, optionLetters } from "./mixEvalRow.js";

/** What a prompt is made of. */
export type PromptRow = Pick<MixEvalRow, "prompt" | "context" | "benchmark_name"> & {
  readonly options?: readonly string[] | undefined;
};

/**
 * The prompt of a free-form question, character for character as MixEval writes it.
 * @throws ROW_INVALID for QuAC, whose prompt MixEval never defined
 */
export function constructPromptFreeform(row: PromptRow): string {
  return `Question: ${withContext(row)}\n${instruction(row.benchmark_name)}`;
}

/** The prompt of a multiple-choice question, character for character as MixEval writes it. */
export function constructPromptMultichoice(row: PromptRow): string {
  const letters = optionLetters({ options: [...(row.options ?? [])] });
  const options = letters.map((letter, place) => `${letter}. ${row.options?.[place]}\n`).join("");
  return `${withContext(row)}\n${options}Answer with the option letter from the given choices directly.`;
}

/** The prompt of a question of either kind. */
export function constructPrompt(row: MixEvalRow): string {
  return isChoice(row) ? constructPromptMultichoice(row) : constructPromptFreeform(row);
}

/** Benchmarks whose prompt asks for reasoning. */
export const STEP_BY_STEP = new Set(["BBH", "GSM8k", "MATH"]);

function instruction(benchmark: string): string {
  // The space before the line's end is MixEval's.
  if (STEP_BY_STEP.has(benchmark)) return "Answer the question. \nLet's think step by step.";
  if (benchmark !== "QuAc") return "Answer the question shortly.";
  throw new ElenchusError(
    "ROW_INVALID",
    "A free-form question of the benchmark QuAc has no prompt: MixEval defines none. Leave the row out.",
  );
}

function withContext({ context, prompt }: PromptRow): string {
  return hasContext(context) ? `${context}\n${prompt}` : prompt;
}

/** Absent, null, blank and the words "none" and "null" are no context. */
function hasContext(context: unknown): boolean {
  if (context === undefined || context === null) return false;
  const text = String(context);
  return !["none", "null"].includes(text.toLowerCase()) && text.replaceAll(" ", "") !== "";
}
