import { z } from "zod";
import { pythonStrip } from "../../base/index.js";
import { NamedAggregations } from "../aggregation/namedAggregations.js";
import { defineScorer } from "../defineScorer.js";
import { askedInstructions } from "../ifeval/checkInstructions.js";
import { IFEVAL_COLUMNS, ifevalRequest } from "../ifeval/ifevalRow.js";
import { holds, type Instruction, instruction, relation, threshold } from "../ifeval/instruction.js";
import { INSTRUCTIONS } from "../ifeval/instructions.js";
import { ResponseText } from "../ifeval/responseText.js";
import { basicParams } from "./basicParams.js";
import { lineLanguage } from "./lineLanguage.js";
import { sentenceCount, wordCount } from "./wordCounts.js";

/**
 * Llama Stack's `basic::ifeval`: the share of the instructions that are followed strictly, weighed by their number.
 * Sentences, words and quotation marks are those of the answer's language; a row without instructions scores 0 and
 * weighs nothing.
 */
export const basicIfevalScorer = defineScorer({
  name: "basic::ifeval",
  description: "Llama Stack: share of IFEval's instructions followed strictly",
  columns: IFEVAL_COLUMNS,
  params: z.strictObject({
    ...basicParams,
    /** Of language detection, which the original leaves to chance. */
    seed: z.int().default(0),
  }),
  judge(row, { seed }) {
    const request = ifevalRequest(row);
    const response = new ResponseText(pythonStrip(request.response));
    const followed = askedInstructions(request, BASIC_INSTRUCTIONS).map(
      ({ instruction: asked, given }) => !response.blank && asked.check(given, seed)(response),
    );
    if (followed.length === 0) return { score: 0, weight: 0 };
    return { score: followed.filter(Boolean).length / followed.length, weight: followed.length };
  },
  aggregation: (params) => new NamedAggregations(params, ["weighted_average"]),
});

/** The ids of IFEval; three of them mind the language. */
const BASIC_INSTRUCTIONS: ReadonlyMap<string, Instruction> = new Map([
  ...INSTRUCTIONS,
  [
    "length_constraints:number_sentences",
    instruction(
      { num_sentences: threshold, relation },
      ({ num_sentences: limit, relation: asked }, seed) =>
        ({ text }) =>
          holds(sentenceCount(text, lineLanguage(text, seed)), asked, limit),
    ),
  ],
  [
    "length_constraints:number_words",
    instruction(
      { num_words: threshold, relation },
      ({ num_words: limit, relation: asked }, seed) =>
        ({ text }) =>
          holds(wordCount(text, lineLanguage(text, seed)), asked, limit),
    ),
  ],
  [
    "startend:quotation",
    instruction(
      {},
      (_, seed) =>
        ({ trimmed }) =>
          isQuoted(trimmed, seed),
    ),
  ],
]);

function isQuoted(text: string, seed: number): boolean {
  const characters = [...text];
  const [opening, closing] = [...(QUOTES.get(lineLanguage(text, seed)) ?? '""')] as [string, string];
  if (characters.length < 2) return false;
  return [opening, '"'].includes(characters[0]!) && [closing, '"'].includes(characters.at(-1)!);
}

const QUOTES: ReadonlyMap<string, string> = new Map([
  ["ja", "「」"],
  ["ru", "«»"],
  ["th", "“”"],
  ["zh", "“”"],
  ["zh-cn", "“”"],
  ["zh-tw", "“”"],
]);
