import { z } from "zod";
import { samplingFields, usageSchema } from "./completions.js";

const textPartSchema = z.object({ type: z.literal("text"), text: z.string() });

/** Turns of a chat; content may be a text or parts that are texts. */
export const chatMessageSchema = z.object({
  role: z.enum(["system", "developer", "user", "assistant"]),
  content: z.union([z.string(), z.array(textPartSchema)]),
  name: z.string().nullish(),
});

export const chatRequestSchema = z
  .object({
    ...samplingFields,
    messages: z.array(chatMessageSchema).min(1),
    max_tokens: z.int().positive().nullish(),
    max_completion_tokens: z.int().positive().nullish(),
    /** Log probabilities of an answer's tokens. */
    logprobs: z.boolean().nullish(),
    top_logprobs: z.int().min(0).max(20).nullish(),
  })
  .meta({ id: "ChatRequest" });

const tokenLogprobSchema = z.object({
  token: z.string(),
  logprob: z.number(),
  bytes: z.array(z.number()).nullable(),
});

export const chatLogprobsSchema = z.object({
  content: z.array(tokenLogprobSchema.extend({ top_logprobs: z.array(tokenLogprobSchema) })),
});

export const chatCompletionSchema = z
  .object({
    id: z.string(),
    object: z.literal("chat.completion"),
    created: z.number(),
    model: z.string(),
    choices: z.array(
      z.object({
        index: z.number(),
        message: z.object({ role: z.literal("assistant"), content: z.string() }),
        finish_reason: z.enum(["stop", "length"]),
        logprobs: chatLogprobsSchema.nullable(),
      }),
    ),
    usage: usageSchema.nullable(),
  })
  .meta({ id: "ChatCompletion" });

export type ChatMessage = z.output<typeof chatMessageSchema>;
export type ChatRequest = z.output<typeof chatRequestSchema>;
export type ChatLogprobs = z.output<typeof chatLogprobsSchema>;
export type ChatCompletion = z.output<typeof chatCompletionSchema>;
