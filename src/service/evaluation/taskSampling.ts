import type { SamplingParams } from "../../api/index.js";
import { samplingParamsSchema, type SamplingParams as TaskSampling } from "../../tasks/index.js";

/** Sampling as the routes take it, in the words of the tasks: what is null was not given. */
export function taskSampling(given: SamplingParams): TaskSampling {
  const { strategy } = given;
  const cleaned =
    strategy.type === "top_p"
      ? {
          type: "top_p" as const,
          ...(strategy.temperature != null && { temperature: strategy.temperature }),
          ...(strategy.top_p != null && { top_p: strategy.top_p }),
        }
      : strategy;
  return samplingParamsSchema.parse({
    strategy: cleaned,
    ...(given.max_tokens != null && { max_tokens: given.max_tokens }),
    ...(given.repetition_penalty != null && { repetition_penalty: given.repetition_penalty }),
    ...(given.stop != null && { stop: given.stop }),
    ...(given.seed != null && { seed: given.seed }),
  });
}
