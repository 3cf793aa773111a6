import { z } from "zod";
import type { AnswerFile } from "../../language/index.js";
import type { JudgeModel } from "../../scoring/index.js";

const keptAnswer = z.object({
  text: z.string(),
  inputTokens: z.number().optional(),
  outputTokens: z.number().optional(),
});

/** A judge whose answers are kept by content: the model, the messages, how it was asked. */
export function keptJudge(judge: JudgeModel, file: AnswerFile): JudgeModel {
  return {
    ...judge,
    async ask(messages, options, signal) {
      const question = [judge.name, messages, options];
      const known = keptAnswer.safeParse(file.get(question));
      if (known.success) return { ...known.data, kept: true };
      const answer = await judge.ask(messages, options, signal);
      await file.add([[question, answer]]);
      return answer;
    },
  };
}
