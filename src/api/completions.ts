import { z } from "zod";

const tokensSchema = z.array(z.int().nonnegative()).min(1);

/** A text, several, tokens, or several lists of tokens. */
export const promptSchema = z.union([
  z.string(),
  z.array(z.string()).min(1).max(1024),
  tokensSchema,
  z.array(tokensSchema).min(1).max(1024),
]);

const stopSchema = z.union([z.string().min(1), z.array(z.string().min(1)).max(16)]).nullish();

/** What completions and chats have in common. Defaults are OpenAI's but for the seed, which is 0. */
export const samplingFields = {
  model: z.string().min(1),
  temperature: z.number().min(0).max(100).nullish(),
  top_p: z.number().gt(0).max(1).nullish(),
  /** Beyond OpenAI's, like `repetition_penalty`. */
  top_k: z.int().min(-1).nullish(),
  repetition_penalty: z.number().positive().nullish(),
  n: z.int().min(1).max(16).nullish(),
  stop: stopSchema,
  stream: z.boolean().nullish(),
  seed: z.int().nullish(),
  user: z.string().nullish(),
};

export const completionRequestSchema = z
  .object({
    ...samplingFields,
    prompt: promptSchema,
    max_tokens: z.int().nonnegative().nullish(),
    echo: z.boolean().nullish(),
    /** So many of the most likely tokens are listed at each place. */
    logprobs: z.int().min(0).max(20).nullish(),
    suffix: z.null().optional(),
    best_of: z.literal(1).nullish(),
  })
  .meta({ id: "CompletionRequest" });

export const completionLogprobsSchema = z.object({
  tokens: z.array(z.string()),
  /** Natural logarithms; null for a first token, which nothing stands before. */
  token_logprobs: z.array(z.number().nullable()),
  top_logprobs: z.array(z.record(z.string(), z.number()).nullable()),
  /** In code points of `text`. */
  text_offset: z.array(z.number()),
});

export const usageSchema = z.object({
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  total_tokens: z.number(),
});

export const completionSchema = z
  .object({
    id: z.string(),
    object: z.literal("text_completion"),
    created: z.number(),
    model: z.string(),
    choices: z.array(
      z.object({
        index: z.number(),
        text: z.string(),
        finish_reason: z.enum(["stop", "length"]).nullable(),
        logprobs: completionLogprobsSchema.nullable(),
      }),
    ),
    /** Null where the model is behind an endpoint, which gives out no tokens. */
    usage: usageSchema.nullable(),
  })
  .meta({ id: "Completion" });

export type CompletionRequest = z.output<typeof completionRequestSchema>;
export type CompletionLogprobs = z.output<typeof completionLogprobsSchema>;
export type Completion = z.output<typeof completionSchema>;
export type Usage = z.output<typeof usageSchema>;
