import { z } from "zod";
import { ANSWER_PREFIXES } from "../../scoring/basic/answerPrefixes.js";
import { FOREIGN_LETTERS } from "../../scoring/parsers/foreignLetters.js";
import type { DictSample } from "../datasets/baseDataset.js";
import type { GenerationResponseSample, PreprocessedSample, ScorerInputSample } from "../samples.js";
import { BaseGeneratorProcessor } from "./baseProcessor.js";
import { columnText } from "./rowColumns.js";

const params = z.strictObject({});

/**
 * MMLU as Llama Stack's first design of evaluations asks it (simple-evals' table: Question, A to D, Answer). The answer
 * is the letter behind the first prefix, in the order of their list, that stands anywhere in the text; an answer
 * without one is the empty text, which equals no letter.
 */
export class MmluProcessor extends BaseGeneratorProcessor {
  preprocessSample({ data }: DictSample): PreprocessedSample {
    return { generation_input: { messages: [{ role: "user", content: questionOf(data) }] } };
  }

  postprocessSample(
    { generation_output }: GenerationResponseSample,
    { data }: DictSample,
  ): ScorerInputSample {
    const { finish: _, ...output } = generation_output;
    return {
      ...data,
      input_query: questionOf(data),
      generated_answer: mmluLetter(output.completion_message),
      expected_answer: columnText(data, "Answer").trim(),
      generation_output: output,
    };
  }
}

/** As it is registered. */
export const mmluProcessor = { params, create: () => new MmluProcessor() };

/** The instruction is that of simple-evals (OpenAI, MIT licence), as Llama Stack (Meta Platforms, MIT licence) has it. */
const INSTRUCTION =
  "Answer the following multiple choice question and make the answer very simple. The last line of your response should be of the following format: 'Answer: $LETTER' (without quotes) where LETTER is one of ABCD.";

function questionOf(row: DictSample["data"]): string {
  const text = (column: string) => columnText(row, column);
  return `${INSTRUCTION}\n\n${text("Question")}\n\nA) ${text("A")}\nB) ${text("B")}\nC) ${text("C")}\nD) ${text("D")}`;
}

/** The letter that a text settles on, or the empty text. */
export function mmluLetter(text: string): string {
  const plain = NOISE.reduce((rest, noise) => rest.replaceAll(noise, ""), text);
  for (const pattern of PATTERNS) {
    const letter = pattern.exec(plain)?.[1];
    if (letter !== undefined) return (LATIN.get(letter) ?? letter).trim().toUpperCase();
  }
  return "";
}

/** What is deleted before a letter is looked for, in this order. */
const NOISE = [
  "**",
  "$\\boxed{",
  "}$",
  "\\$",
  "$\\text{",
  "$",
  "\\mathrm{",
  "\\{",
  "\\text",
  "\\(",
  "\\mathbf{",
  "{",
  "\\boxed",
];

/** The prefix in front of all others came later. */
const PATTERNS = ANSWER_PREFIXES.filter((prefix) => prefix !== "The best answer is ").map(
  (prefix) => new RegExp(`${prefix}\\s*([A-D]|[أ-د]|[অ]|[ব]|[ড]|[ঢ]|[Ａ]|[Ｂ]|[Ｃ]|[Ｄ])`, "iu"),
);

/** Letters of other scripts, full width ones among them. */
const LATIN: ReadonlyMap<string, string> = new Map([
  ...FOREIGN_LETTERS,
  ["Ａ", "A"],
  ["Ｂ", "B"],
  ["Ｃ", "C"],
  ["Ｄ", "D"],
]);
