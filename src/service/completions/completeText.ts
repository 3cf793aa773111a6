import { randomUUID } from "node:crypto";
import type { Completion, CompletionRequest } from "../../api/index.js";
import { ElenchusError } from "../../base/index.js";
import { type Generation, type LanguageModel, promptTokens } from "../../language/index.js";
import { scoredChoice } from "./scoredChoice.js";
import { seedOf, settingsOf } from "./settings.js";

/** What an answer needs beside its request. */
export interface CompletionSurroundings {
  readonly signal: AbortSignal;
  /** Most tokens that may be asked for. */
  readonly maxNewTokens: number;
  /** Seconds since 1970. */
  readonly now: number;
  /** Hears of text as it comes, by the index of the choice. */
  readonly onText?: ((piece: { index: number; text: string }) => void) | undefined;
}

/** OpenAI's default of `max_tokens`. */
const DEFAULT_TOKENS = 16;

/**
 * Answers `/v1/completions`. With `logprobs` every token is scored in one more pass over prompt and answer, and with
 * `echo` the prompt's tokens too; an end token that was chosen stands in these lists, with no text.
 * @throws CAPABILITY_MISSING where a model behind an endpoint is asked for log probabilities; DATA_INVALID for a prompt
 *   that is too long; LIMIT_EXCEEDED
 */
export async function completeText(
  model: LanguageModel,
  request: CompletionRequest,
  surroundings: CompletionSurroundings,
): Promise<Completion> {
  const { signal, onText } = surroundings;
  const maxTokens = request.max_tokens ?? Math.min(DEFAULT_TOKENS, surroundings.maxNewTokens);
  const settings = settingsOf(request, { maxTokens, most: surroundings.maxNewTokens });
  const top = request.logprobs ?? undefined;
  if (top !== undefined && model.tokenizer === undefined) throw notScored(model);
  const prompts = promptsOf(request.prompt).map((prompt) => ({
    prompt,
    tokens: tokensOf(model, prompt, top !== undefined && maxTokens <= 1),
  }));
  const asked = prompts.flatMap((one) =>
    Array.from({ length: request.n ?? 1 }, (_, choice) => ({ ...one, seed: seedOf(request, choice) })),
  );
  // The most likely token is known from the pass that scores: such a request, as harnesses send it, takes one pass.
  const fromScores =
    top !== undefined && maxTokens === 1 && settings.temperature === 0 && settings.stop?.length === 0;
  const answers: (Generation | undefined)[] =
    maxTokens === 0 || fromScores
      ? asked.map(() => undefined)
      : await model.generate(
          asked.map(({ prompt, seed }) => ({ prompt, seed })),
          { ...settings, givesWay: "answer", signal, ...(onText && { onText }) },
        );
  const choices: Completion["choices"] = [];
  let made = 0;
  for (const [index, { prompt, tokens }] of asked.entries()) {
    const answer = answers[index];
    const echoed = request.echo ? textOf(model, prompt) : "";
    if (top === undefined) {
      made += answer?.tokens?.length ?? 0;
      const { text = "", finish = "length" } = answer ?? {};
      choices.push({ index, text: echoed + text, finish_reason: finish, logprobs: null });
      continue;
    }
    const scored = await scoredChoice(model, {
      prompt: { text: typeof prompt === "string" ? prompt : undefined, tokens: tokens! },
      answer,
      ...{ chooses: fromScores, echo: request.echo === true, top, signal },
    });
    made += scored.made;
    choices.push({
      index,
      text: echoed + scored.text,
      finish_reason: scored.finish,
      logprobs: scored.logprobs,
    });
  }
  const read = model.tokenizer && prompts.reduce((sum, { tokens }) => sum + tokens!.length, 0);
  return {
    id: `cmpl-${randomUUID()}`,
    object: "text_completion",
    created: surroundings.now,
    model: request.model,
    choices,
    usage:
      read === undefined ? null : { prompt_tokens: read, completion_tokens: made, total_tokens: read + made },
  };
}

type OnePrompt = string | readonly number[];

function promptsOf(prompt: CompletionRequest["prompt"]): OnePrompt[] {
  if (typeof prompt === "string") return [prompt];
  return typeof prompt[0] === "number" ? [prompt as number[]] : (prompt as OnePrompt[]);
}

/**
 * @param onlyScored the last token of a row that is only scored is not read
 * @throws DATA_INVALID for tokens that the model does not have, or more than it reads
 */
function tokensOf(
  { tokenizer, contextLength = Number.POSITIVE_INFINITY }: LanguageModel,
  prompt: OnePrompt,
  onlyScored: boolean,
): readonly number[] | undefined {
  if (tokenizer === undefined) return undefined;
  const tokens = promptTokens(tokenizer, prompt, {});
  const stray = tokens.find((id) => id >= tokenizer.vocabularySize);
  if (stray !== undefined) {
    throw badPrompt(`holds the token ${stray}, and the model has ${tokenizer.vocabularySize}`);
  }
  if (tokens.length <= contextLength + (onlyScored ? 1 : 0)) return tokens;
  throw badPrompt(`has ${tokens.length} tokens, and the model reads ${contextLength}`);
}

function badPrompt(why: string): ElenchusError {
  return new ElenchusError("DATA_INVALID", `A prompt ${why}.`, { details: { param: "prompt" } });
}

function notScored({ name }: LanguageModel): ElenchusError {
  return new ElenchusError(
    "CAPABILITY_MISSING",
    `The log probabilities of ${name} are not known here: it answers behind an endpoint. Ask that server itself, or use a model of this machine.`,
    { details: { param: "logprobs" } },
  );
}

function textOf({ name, tokenizer }: LanguageModel, prompt: OnePrompt): string {
  if (typeof prompt === "string") return prompt;
  if (tokenizer) return tokenizer.decode(prompt);
  throw new ElenchusError(
    "CAPABILITY_MISSING",
    `A prompt of tokens cannot be echoed: the tokenizer of ${name} is not known here. Send it as text.`,
    { details: { param: "echo" } },
  );
}
