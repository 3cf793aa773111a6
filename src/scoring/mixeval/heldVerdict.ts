import { judgedOption, judgedScore } from "./judgeProtocol.js";
import { isChoice, type MixEvalRow, optionLetters } from "./mixEvalRow.js";
import { choice, type ParsedResponse } from "./responseParser.js";

/** The verdict of a judge in a row of a file of verdicts. */
export interface HeldVerdict extends ParsedResponse {
  /** What the judge said, where the row has it. */
  readonly reply: string | undefined;
  /** False where the judge's words hold no such verdict: the original makes one up by chance after ten attempts. */
  readonly stated: boolean;
}

/**
 * The verdict that a row already has, `judge_score` of a free-form answer or `judge_option` of a choice, as MixEval's
 * files of verdicts hold it. Undefined where there is none that counts.
 */
export function heldVerdict(
  row: MixEvalRow,
  fields: Readonly<Record<string, unknown>>,
): HeldVerdict | undefined {
  const reply = typeof fields.judge_response === "string" ? fields.judge_response : undefined;
  if (isChoice(row)) {
    const letters = optionLetters(row);
    const letter = letters.find((one) => one === fields.judge_option);
    if (letter === undefined) return undefined;
    return { ...choice(row, letter), reply, stated: !reply || judgedOption(reply, letters) === letter };
  }
  const score = fields.judge_score;
  if (typeof score !== "number" || !(score >= 0 && score <= 1)) return undefined;
  return { ...graded(score), reply, stated: !reply || judgedScore(reply) === score };
}

/** A judge's grade of a free-form answer, counted as it is. */
export function graded(score: number): ParsedResponse {
  return { score, parsed: { numbers: [score], strings: [] }, random: false };
}
