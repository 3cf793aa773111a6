import { randomUUID } from "node:crypto";
import type { ChatCompletion, ChatLogprobs, ChatMessage, ChatRequest } from "../../api/index.js";
import { ElenchusError } from "../../base/index.js";
import { type LanguageModel, promptTokens } from "../../language/index.js";
import type { ChatTurn, Tokenizer } from "../../tokenizers/index.js";
import type { CompletionSurroundings } from "./completeText.js";
import { seedOf, settingsOf } from "./settings.js";
import { tokenLabel } from "./tokenLabels.js";
import { scoreTokens } from "./tokenScores.js";

/** Of an answer whose length nobody limits. */
const DEFAULT_TOKENS = 256;

/**
 * Answers `/v1/chat/completions`. A chat is rendered by the tokenizer's template.
 * @throws as `completeText`; CAPABILITY_MISSING where there is no chat template
 */
export async function completeChat(
  model: LanguageModel,
  request: ChatRequest,
  surroundings: CompletionSurroundings,
): Promise<ChatCompletion> {
  const usual = Math.min(DEFAULT_TOKENS, surroundings.maxNewTokens);
  const maxTokens = request.max_completion_tokens ?? request.max_tokens ?? usual;
  const settings = settingsOf(request, { maxTokens, most: surroundings.maxNewTokens });
  const turns = request.messages.map(turnOf);
  const { tokenizer } = model;
  const prompt = tokenizer === undefined ? undefined : readPrompt(model, tokenizer, turns);
  if (request.logprobs && tokenizer === undefined) {
    throw new ElenchusError(
      "CAPABILITY_MISSING",
      `The log probabilities of ${model.name} are not known here: it answers behind an endpoint. Ask that server itself.`,
      { details: { param: "logprobs" } },
    );
  }
  const answers = await model.generate(
    Array.from({ length: request.n ?? 1 }, (_, choice) => ({
      prompt: turns,
      seed: seedOf(request, choice),
    })),
    {
      ...settings,
      givesWay: "answer",
      signal: surroundings.signal,
      ...(surroundings.onText && { onText: surroundings.onText }),
    },
  );
  const choices: ChatCompletion["choices"] = [];
  for (const [index, { text, finish, tokens = [] }] of answers.entries()) {
    const logprobs =
      request.logprobs && tokenizer && prompt
        ? await chatLogprobs(
            model,
            tokenizer,
            [prompt, tokens],
            request.top_logprobs ?? 0,
            surroundings.signal,
          )
        : null;
    choices.push({ index, message: { role: "assistant", content: text }, finish_reason: finish, logprobs });
  }
  const made = answers.reduce((sum, { tokens }) => sum + (tokens?.length ?? 0), 0);
  return {
    id: `chatcmpl-${randomUUID()}`,
    object: "chat.completion",
    created: surroundings.now,
    model: request.model,
    choices,
    usage:
      prompt === undefined
        ? null
        : { prompt_tokens: prompt.length, completion_tokens: made, total_tokens: prompt.length + made },
  };
}

function turnOf({ role, content }: ChatMessage): ChatTurn {
  const text = typeof content === "string" ? content : content.map((part) => part.text).join("");
  // Newer clients say `developer` where templates know `system`.
  return { role: role === "developer" ? "system" : role, content: text };
}

function readPrompt(
  model: LanguageModel,
  tokenizer: Tokenizer,
  turns: readonly ChatTurn[],
): readonly number[] {
  const tokens = promptTokens(tokenizer, turns, {});
  const { contextLength = Number.POSITIVE_INFINITY } = model;
  if (tokens.length <= contextLength) return tokens;
  throw new ElenchusError(
    "DATA_INVALID",
    `The chat has ${tokens.length} tokens, and the model reads ${contextLength}.`,
    { details: { param: "messages" } },
  );
}

async function chatLogprobs(
  model: LanguageModel,
  tokenizer: Tokenizer,
  [prompt, answer]: readonly [readonly number[], readonly number[]],
  top: number,
  signal: AbortSignal,
): Promise<ChatLogprobs> {
  const { contextLength = Number.POSITIVE_INFINITY } = model;
  const [pass] = await scoreTokens(model, [[...prompt, ...answer]], { top, contextLength, signal });
  const shown = ({ id, logprob }: { id: number; logprob: number }) => ({
    token: tokenLabel(tokenizer, id),
    logprob,
    bytes: [...tokenizer.tokenBytes(id)],
  });
  const places = pass!.places.slice(prompt.length - 1);
  return { content: places.map((place) => ({ ...shown(place), top_logprobs: place.top.map(shown) })) };
}
