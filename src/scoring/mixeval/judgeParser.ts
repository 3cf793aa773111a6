import { ElenchusError } from "../../base/index.js";
import type { AskJudge } from "../judge/judgeModel.js";
import { graded } from "./heldVerdict.js";
import { judgedOption, judgedScore, judgeMessages } from "./judgeProtocol.js";
import { isChoice, type MixEvalResponse, optionLetters } from "./mixEvalRow.js";
import { choice, type ResponseParser } from "./responseParser.js";

/** How often a verdict is asked for. */
export interface JudgeParserOptions {
  /** Attempts until a verdict can be read, each with another seed. Default 10, the original's rounds. */
  readonly attempts?: number;
  /** Called with what a judge said, for files of judged answers. */
  readonly heard?: (answer: MixEvalResponse, reply: string) => void;
  /** Called with why an answer is left without a verdict. */
  readonly unjudged?: (answer: MixEvalResponse, why: unknown) => void;
}

/**
 * Has a model judge the answers, in MixEval's own conversations. Where no attempt gives a verdict that can be read,
 * or the model cannot be asked, the answer is left without a score; the original would make one up by chance.
 */
export function judgeParser(
  ask: AskJudge,
  { attempts = 10, heard, unjudged }: JudgeParserOptions = {},
): ResponseParser {
  return async (answer, signal) => {
    const { row, response } = answer;
    const messages = judgeMessages(row, response);
    let why: unknown = new ElenchusError(
      "ROW_INVALID",
      `None of ${attempts} replies of the judge holds a verdict that can be read.`,
    );
    for (let attempt = 0; attempt < attempts; attempt++) {
      signal?.throwIfAborted();
      const options = { temperature: 0, maxTokens: MAX_TOKENS, seed: attempt };
      const reply = await ask(messages, options, signal).catch((error: unknown) => {
        signal?.throwIfAborted();
        why = error;
        return null;
      });
      // The connection has tried again by itself what may pass.
      if (reply === null) break;
      heard?.(answer, reply.text);
      if (isChoice(row)) {
        const letter = judgedOption(reply.text, optionLetters(row));
        if (letter !== null) return choice(row, letter);
      } else {
        const score = judgedScore(reply.text);
        if (score !== null) return graded(score);
      }
    }
    unjudged?.(answer, why);
    return { score: null, parsed: null, random: false };
  };
}

/** Of a verdict, as the original asks for. */
const MAX_TOKENS = 999;
