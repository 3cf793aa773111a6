import type { ChatRequest, CompletionRequest } from "../../api/index.js";
import { ElenchusError } from "../../base/index.js";
import type { GenerationSettings } from "../../language/index.js";

/** Settings of a generation out of a request, as OpenAI's protocol means them. */
export function settingsOf(
  request: CompletionRequest | ChatRequest,
  { maxTokens, most }: { maxTokens: number; most: number },
): GenerationSettings {
  if (maxTokens > most) {
    throw new ElenchusError(
      "LIMIT_EXCEEDED",
      `max_tokens is ${maxTokens}; at most ${most} may be asked for (service.max_new_tokens).`,
      { details: { param: "max_tokens" } },
    );
  }
  const { stop, top_k: topK } = request;
  return {
    maxNewTokens: Math.max(1, maxTokens),
    temperature: request.temperature ?? 1,
    topP: request.top_p ?? 1,
    // vLLM's and Hugging Face's word for "all" is -1.
    topK: topK === null || topK === undefined || topK < 0 ? 0 : topK,
    repetitionPenalty: request.repetition_penalty ?? 1,
    stop: stop === null || stop === undefined ? [] : [stop].flat(),
  };
}

/** The seed of one of several answers to a prompt. */
export function seedOf(request: CompletionRequest | ChatRequest, choice: number): number | string {
  const seed = request.seed ?? 0;
  return choice === 0 ? seed : `${seed}/${choice}`;
}
