import { constructPrompt } from "./constructPrompt.js";
import { FIVE_SHOT_PREFIX_FREEFORM, FIVE_SHOT_PREFIX_MULTIPLECHOICE } from "./fewShotPrefixes.js";
import { isChoice, type MixEvalRow } from "./mixEvalRow.js";

/** What a base model reads: five worked examples of the kind, then the question, then a line end. */
export function fewShotPrompt(row: MixEvalRow): string {
  const prefix = isChoice(row) ? FIVE_SHOT_PREFIX_MULTIPLECHOICE : FIVE_SHOT_PREFIX_FREEFORM;
  return `${prefix}${constructPrompt(row)}\n`;
}
