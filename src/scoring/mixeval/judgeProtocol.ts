import type { JudgeMessage } from "../judge/judgeModel.js";
import { FREE_FORM_JUDGE, OPTION_EXTRACTOR } from "./judgeConversations.js";
import { isChoice, type MixEvalRow, optionLetters } from "./mixEvalRow.js";

/**
 * The conversation by which MixEval has an answer judged: a free-form one is graded, of a choice only the letter is
 * read. The context of the question is never shown.
 */
export function judgeMessages(row: MixEvalRow, response: string): JudgeMessage[] {
  const choice = isChoice(row);
  const letters = optionLetters(row);
  const slots: Readonly<Record<string, string>> = {
    prompt: row.prompt,
    response,
    gold_ans: row.target.map((target, place) => `<answer ${place + 1}> ${target}`).join("; "),
    options: (row.options ?? []).map((option, place) => `${letters[place]}. ${option}`).join("\n"),
  };
  return (choice ? OPTION_EXTRACTOR : FREE_FORM_JUDGE).map(({ role, content }) => ({
    role,
    // In one pass, so that what looks like a slot inside an answer stays as it is.
    content: content.replace(/\{\{(\w+)\}\}/g, (slot, name: string) => slots[name] ?? slot),
  }));
}

/** The grade in a judge's reply, 0 to 1; null where there is none in `[[...]]` or `[...]`, or it is out of range. */
export function judgedScore(reply: string): number | null {
  const found = /\[\[(\d+\.?\d*)\]\]/.exec(reply) ?? /\[(\d+\.?\d*)\]/.exec(reply);
  const score = Number(found?.[1]);
  return found !== null && score >= 0 && score <= 1 ? score : null;
}

/** The letter in an extractor's reply; null where there is none, or none of the options'. */
export function judgedOption(reply: string, letters: readonly string[]): string | null {
  const found = (/\[\[([A-Z])\]\]/.exec(reply) ?? /\[([A-Z])\]/.exec(reply))?.[1];
  return found !== undefined && letters.includes(found) ? found : null;
}
