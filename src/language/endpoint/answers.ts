import { z } from "zod";
import { ElenchusError } from "../../base/index.js";

/** What is read of an answer to `/completions`. */
const completion = z.object({
  choices: z
    .array(
      z.object({
        text: z.string(),
        finish_reason: z.string().nullish(),
        logprobs: z
          .object({
            tokens: z.array(z.string()),
            token_logprobs: z.array(z.number().nullable()),
            /** In code points. */
            text_offset: z.array(z.number()).nullish(),
            top_logprobs: z.array(z.record(z.string(), z.number()).nullable()).nullish(),
          })
          .nullish(),
      }),
    )
    .min(1),
});

/** What is read of an answer to `/chat/completions`. */
const chat = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({ content: z.string().nullish() }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
});

export type CompletionChoice = z.output<typeof completion>["choices"][number];
export type ChatChoice = z.output<typeof chat>["choices"][number];
export type EchoedTokens = NonNullable<CompletionChoice["logprobs"]>;

/** The first choice of a completion. @throws ENDPOINT_INVALID */
export function parseCompletion(answer: unknown): CompletionChoice {
  return parse(completion, answer, "/completions").choices[0]!;
}

/** The first choice of a chat. @throws ENDPOINT_INVALID */
export function parseChat(answer: unknown): ChatChoice {
  return parse(chat, answer, "/chat/completions").choices[0]!;
}

/** An answer that cannot be used. */
export function invalidAnswer(path: string, fault: string): ElenchusError {
  return new ElenchusError(
    "ENDPOINT_INVALID",
    `The endpoint's answer to ${path} cannot be used: ${fault}. Expected what OpenAI's protocol has there.`,
  );
}

function parse<T>(schema: z.ZodType<T>, answer: unknown, path: string): T {
  const result = schema.safeParse(answer);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  throw invalidAnswer(path, `${issue.path.join(".") || "the whole"}: ${issue.message}`);
}
