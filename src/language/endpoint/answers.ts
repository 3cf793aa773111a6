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

/** What is read of a part of a streamed answer; some parts have no choice, and some choices nothing to say. */
const part = z.object({
  error: z.unknown().optional(),
  choices: z
    .array(
      z.object({
        text: z.string().nullish(),
        delta: z.object({ content: z.string().nullish() }).nullish(),
        /** A server that does not stream answers in whole. */
        message: z.object({ content: z.string().nullish() }).nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .optional(),
});

/** What a part of an answer adds to it. */
export interface AnswerPart {
  readonly text: string;
  /** Why the answer has ended, where it has. */
  readonly reason: string | undefined;
}

/** One part of a streamed answer. @throws ENDPOINT_INVALID */
export function parsePart(answer: unknown, path: string): AnswerPart {
  const { choices, error } = parse(part, answer, path);
  if (error !== undefined && error !== null) {
    throw invalidAnswer(path, `it broke off with ${JSON.stringify(error).slice(0, 300)}`);
  }
  if (choices === undefined) throw invalidAnswer(path, "choices: missing in a part of it");
  const [choice] = choices;
  const text = choice?.text ?? choice?.delta?.content ?? choice?.message?.content ?? "";
  return { text, reason: choice?.finish_reason ?? undefined };
}

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

/** What a server says of the tokens that it read and wrote; undefined where it says nothing that makes sense. */
export function parseUsage(answer: unknown): { input: number; output: number } | undefined {
  const parsed = counted.safeParse(answer);
  if (!parsed.success) return undefined;
  const { prompt_tokens: input, completion_tokens: output } = parsed.data.usage;
  return { input, output };
}

const tokenCount = z.int().nonnegative();
const counted = z.object({
  usage: z.object({ prompt_tokens: tokenCount, completion_tokens: tokenCount.default(0) }),
});

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
