import { PYTHON_SPACE } from "../../base/index.js";
import type { TableRow } from "../../data/index.js";
import type { ChatTurn } from "../../tokenizers/index.js";
import type { DocumentOptions } from "../task.js";
import type { HarnessQuestion, PromptRules } from "./harnessSpec.js";

/** A question and what goes before it. */
export interface PromptParts {
  readonly question: HarnessQuestion;
  readonly examples: readonly HarnessQuestion[];
  readonly row: TableRow;
  readonly rules: PromptRules | undefined;
}

/**
 * The prompts of a question, one per context, and what stands between one and a choice: nothing where a chat
 * template sets the answer off.
 */
export function harnessPrompts(
  { question, examples, row, rules = {} }: PromptParts,
  { chat, systemPrompt = "" }: DocumentOptions,
): { prompts: (string | readonly ChatTurn[])[]; delimiter: string } {
  const { targetDelimiter = " ", fewshotDelimiter = "\n\n", preamble } = rules;
  const system = joined(systemPrompt, preamble?.(row) ?? "", fewshotDelimiter);
  const shown = examples.map((example) => ({
    text: example.exampleContext ?? example.contexts[0]!,
    answer: example.exampleAnswer,
  }));
  const asText = shown.map(({ text, answer }) => text + targetDelimiter + answer + fewshotDelimiter).join("");

  if (chat === undefined) {
    const prompts = question.contexts.map((context) => system + asText + context);
    return { prompts, delimiter: targetDelimiter };
  }
  const first: ChatTurn[] = system === "" ? [] : [{ role: "system", content: system }];
  const turns = shown.flatMap(({ text, answer }): ChatTurn[] => [
    { role: "user", content: text },
    { role: "assistant", content: answer },
  ]);
  const prompts = question.contexts.map((context): ChatTurn[] =>
    (chat.fewshotAsTurns ?? true)
      ? [...first, ...turns, { role: "user", content: context }]
      : [...first, { role: "user", content: asText + context }],
  );
  return { prompts, delimiter: "" };
}

/** Two texts with the delimiter between them, unless there is white space at the seam or one is empty. */
function joined(one: string, other: string, delimiter: string): string {
  if (one === "" || other === "") return one + other;
  return SPACE_AT_END.test(one) || SPACE_AT_START.test(other) ? one + other : one + delimiter + other;
}

const SPACE_AT_END = new RegExp(`[${PYTHON_SPACE}]$`);
const SPACE_AT_START = new RegExp(`^[${PYTHON_SPACE}]`);
