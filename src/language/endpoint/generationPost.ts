import { createRandom } from "../../base/index.js";
import { encodeChatTemplate, type Tokenizer } from "../../tokenizers/index.js";
import type { Prompt } from "../generation.js";
import { isChat } from "../generationRow.js";
import type { ResolvedSettings } from "../generationSettings.js";
import type { EndpointSettings } from "./endpointSettings.js";
import { missingCapability } from "./missingCapability.js";

/** A request to generate. */
export interface GenerationPost {
  readonly path: "/completions" | "/chat/completions";
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * What a server is asked, to go on from a prompt.
 * @throws CAPABILITY_MISSING for a prompt that it cannot be given
 */
export function generationPost(
  prompt: Prompt,
  settings: ResolvedSettings,
  { model, generation, tokenizer, lengthField = "max_tokens" }: EndpointSettings,
): GenerationPost {
  const shared = { model, ...generationFields(settings) };
  if (generation === "completions") {
    const body = {
      ...shared,
      max_tokens: settings.maxNewTokens,
      prompt: completionPrompt(prompt, tokenizer),
    };
    return { path: "/completions", body };
  }
  const body = { ...shared, [lengthField]: settings.maxNewTokens, messages: chatMessages(prompt) };
  return { path: "/chat/completions", body };
}

/** @throws CAPABILITY_MISSING for settings that the server is not said to know */
export function requireKnown(
  { topK, repetitionPenalty, stopTokens }: ResolvedSettings,
  { extensions = [] }: EndpointSettings,
): void {
  if (topK !== 0 && !extensions.includes("top_k")) {
    throw missingCapability(
      "topK is not part of OpenAI's protocol: name top_k among its extensions if it knows it",
    );
  }
  if (repetitionPenalty !== 1 && !extensions.includes("repetition_penalty")) {
    throw missingCapability(
      "repetitionPenalty is not part of OpenAI's protocol: name repetition_penalty among its extensions if it knows it",
    );
  }
  if (stopTokens !== undefined) throw missingCapability("it ends at texts, not at tokens: use stop");
}

/** Servers take so many stop texts; what further ones cut off is cut off here. */
const MOST_STOPS = 4;

function generationFields(settings: ResolvedSettings): Record<string, unknown> {
  const { temperature, topK, topP, repetitionPenalty, stop, seed } = settings;
  return {
    temperature,
    ...(topP === 1 ? {} : { top_p: topP }),
    ...(topK === 0 ? {} : { top_k: topK }),
    ...(repetitionPenalty === 1 ? {} : { repetition_penalty: repetitionPenalty }),
    ...(stop.length === 0 ? {} : { stop: stop.slice(0, MOST_STOPS) }),
    ...(temperature === 0 ? {} : { seed: wholeSeed(seed) }),
  };
}

/** Servers take whole numbers; other seeds become one. */
function wholeSeed(seed: number | string): number {
  return Number.isSafeInteger(seed) ? (seed as number) : createRandom(seed, "endpoint").uint32() >>> 1;
}

function completionPrompt(prompt: Prompt, tokenizer: Tokenizer | undefined): Prompt {
  if (!isChat(prompt)) return prompt;
  if (tokenizer === undefined)
    throw missingCapability("turns become one prompt by its tokenizer's template: give it");
  return encodeChatTemplate(tokenizer, prompt, { addGenerationPrompt: true });
}

function chatMessages(prompt: Prompt): unknown[] {
  if (typeof prompt === "string") return [{ role: "user", content: prompt }];
  if (isChat(prompt)) return prompt.map(({ role, content, metadata }) => ({ ...metadata, role, content }));
  throw missingCapability('a chat takes no tokens: use generation = "completions"');
}
