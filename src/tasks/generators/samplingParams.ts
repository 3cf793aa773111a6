import { z } from "zod";
import type { GenerationSettings } from "../../language/index.js";

/** How answers are sampled: the keys of a table, or a strategy as Llama Stack's `SamplingParams` has it. */
export const samplingParamsSchema = z.strictObject({
  max_tokens: z.int().min(0).default(0).meta({
    description: "The most tokens of an answer; 0 stands for 1,024.",
    unit: "tokens",
  }),
  temperature: z.number().min(0).optional().meta({ description: "0, the default: the most likely token." }),
  top_p: z
    .number()
    .gt(0)
    .max(1)
    .optional()
    .meta({ description: "Draws among the most likely tokens of this share." }),
  top_k: z.int().min(0).optional().meta({ description: "Draws among so many; 0: among all." }),
  strategy: z
    .discriminatedUnion("type", [
      z.strictObject({ type: z.literal("greedy") }),
      z.strictObject({
        type: z.literal("top_p"),
        temperature: z.number().gt(0).optional(),
        top_p: z.number().gt(0).max(1).default(0.95),
      }),
      z.strictObject({ type: z.literal("top_k"), top_k: z.int().min(1) }),
    ])
    .optional()
    .meta({ description: "The same as one value: greedy, top_p or top_k." }),
  repetition_penalty: z
    .number()
    .gt(0)
    .default(1)
    .meta({ description: "Makes tokens that were said less likely." }),
  stop: z
    .array(z.string().min(1))
    .default([])
    .meta({ description: "Texts that end an answer and are cut off." }),
  seed: z.int().default(0).meta({ description: "Of the draws; equal questions get equal answers." }),
});

export type SamplingParams = z.output<typeof samplingParamsSchema>;

const USUAL_TOKENS = 1024;

/** Settings of a language model. A strategy counts before the keys beside it. */
export function samplingSettings(params: SamplingParams): GenerationSettings {
  const { max_tokens, repetition_penalty, stop, seed, strategy } = params;
  const drawn = strategy === undefined ? params : drawnBy(strategy);
  return {
    maxNewTokens: max_tokens === 0 ? USUAL_TOKENS : max_tokens,
    temperature: drawn.temperature ?? 0,
    ...(drawn.top_p !== undefined && { topP: drawn.top_p }),
    ...(drawn.top_k !== undefined && { topK: drawn.top_k }),
    repetitionPenalty: repetition_penalty,
    stop,
    seed,
  };
}

type Drawn = Pick<SamplingParams, "temperature" | "top_p" | "top_k">;

function drawnBy(strategy: NonNullable<SamplingParams["strategy"]>): Drawn {
  if (strategy.type === "greedy") return { temperature: 0 };
  if (strategy.type === "top_k") return { temperature: 1, top_k: strategy.top_k };
  return { temperature: strategy.temperature ?? 1, top_p: strategy.top_p };
}
