import { randomUUID } from "node:crypto";
import type { Completion, CompletionLogprobs, CompletionRequest } from "../../api/index.js";
import { ElenchusError } from "../../base/index.js";
import { type GenerationRequest, type LanguageModel, promptTokens } from "../../language/index.js";
import type { Tokenizer } from "../../tokenizers/index.js";
import { createTextStream } from "../../tokenizers/index.js";
import { seedOf, settingsOf } from "./settings.js";
import { labelled, tokenLabel } from "./tokenLabels.js";
import { type PlaceScore, scoreTokens } from "./tokenScores.js";

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
  const prompts = promptsOf(request.prompt);
  const maxTokens = request.max_tokens ?? DEFAULT_TOKENS;
  const settings = settingsOf(request, { maxTokens, most: surroundings.maxNewTokens });
  const asked = prompts.flatMap((prompt) =>
    Array.from({ length: request.n ?? 1 }, (_, choice) => ({ prompt, seed: seedOf(request, choice) })),
  );
  const rows = model.tokenizer && asked.map(({ prompt }) => tokensOf(model, prompt));
  const scored = request.logprobs !== null && request.logprobs !== undefined;
  if (scored && rows === undefined) {
    throw new ElenchusError(
      "CAPABILITY_MISSING",
      `The log probabilities of ${model.name} are not known here: it answers behind an endpoint. Ask that server itself, or use a model of this machine.`,
      { details: { param: "logprobs" } },
    );
  }
  const single = maxTokens === 1 && settings.temperature === 0 && scored && !settings.stop?.length;
  const answers =
    maxTokens === 0 || single
      ? asked.map(() => NOTHING)
      : await model.generate(
          asked.map(
            ({ prompt, seed }, index): GenerationRequest => ({ prompt: rows?.[index] ?? prompt, seed }),
          ),
          {
            ...settings,
            givesWay: "answer",
            signal: surroundings.signal,
            ...(surroundings.onText && { onText: surroundings.onText }),
          },
        );
  const choices: Completion["choices"] = [];
  let completionTokens = 0;
  for (const [index, answer] of answers.entries()) {
    const { prompt } = asked[index]!;
    const row = rows?.[index];
    const tokens = answer.tokens ?? [];
    completionTokens += single ? 1 : tokens.length;
    const echoed = request.echo ? textOf(model, prompt) : "";
    if (!scored || row === undefined) {
      choices.push({ index, text: echoed + answer.text, finish_reason: answer.finish, logprobs: null });
      continue;
    }
    const whole = [...row, ...tokens];
    const [pass] = await scoreTokens(model, [whole], request.logprobs!, surroundings.signal);
    const { tokenizer } = model as { tokenizer: Tokenizer };
    const ends = single || (answer.finish === "stop" && isEnd(tokenizer, pass!.next.id));
    const last: PlaceScore[] = ends
      ? [{ ...pass!.next, top: request.logprobs! > 0 ? [pass!.next] : [] }]
      : [];
    const first = request.echo ? 0 : row.length;
    const logprobs = logprobsOf(tokenizer, { first, whole, places: [...pass!.places, ...last] });
    const stopped = single && isEnd(tokenizer, pass!.next.id);
    const text = single && !stopped ? tokenizer.decode([pass!.next.id]) : answer.text;
    choices.push({
      index,
      text: echoed + text,
      finish_reason: single ? (stopped ? "stop" : "length") : answer.finish,
      logprobs,
    });
  }
  // Prompts are counted once, however many answers they have.
  const read = rows?.filter((_, index) => index % (request.n ?? 1) === 0);
  const promptTokenCount = read?.reduce((sum, row) => sum + row.length, 0);
  return {
    id: `cmpl-${randomUUID()}`,
    object: "text_completion",
    created: surroundings.now,
    model: request.model,
    choices,
    usage:
      promptTokenCount === undefined
        ? null
        : {
            prompt_tokens: promptTokenCount,
            completion_tokens: completionTokens,
            total_tokens: promptTokenCount + completionTokens,
          },
  };
}

const NOTHING = { text: "", tokens: [] as readonly number[], finish: "length" as const, truncated: 0 };

type OnePrompt = string | readonly number[];

function promptsOf(prompt: CompletionRequest["prompt"]): OnePrompt[] {
  if (typeof prompt === "string") return [prompt];
  return typeof prompt[0] === "number" ? [prompt as number[]] : (prompt as OnePrompt[]);
}

/** @throws DATA_INVALID for tokens that the model does not have, or more than it reads */
function tokensOf(model: LanguageModel, prompt: OnePrompt): readonly number[] {
  const tokenizer = model.tokenizer!;
  const tokens = promptTokens(tokenizer, prompt, {});
  const stray = tokens.find((id) => id >= tokenizer.vocabularySize);
  if (stray !== undefined) {
    throw badPrompt(`holds the token ${stray}, and the model has ${tokenizer.vocabularySize}`);
  }
  const { contextLength = Number.POSITIVE_INFINITY } = model;
  if (tokens.length <= contextLength) return tokens;
  throw badPrompt(`has ${tokens.length} tokens, and the model reads ${contextLength}`);
}

function badPrompt(why: string): ElenchusError {
  return new ElenchusError("DATA_INVALID", `A prompt ${why}.`, { details: { param: "prompt" } });
}

function textOf(model: LanguageModel, prompt: OnePrompt): string {
  if (typeof prompt === "string") return prompt;
  if (model.tokenizer) return model.tokenizer.decode(prompt);
  throw new ElenchusError(
    "CAPABILITY_MISSING",
    `A prompt of tokens cannot be echoed: the tokenizer of ${model.name} is not known here. Send it as text.`,
    { details: { param: "echo" } },
  );
}

function isEnd(tokenizer: Tokenizer, id: number): boolean {
  return id === tokenizer.special.eos;
}

/** The lists of OpenAI's completions, from a token on. The first token of all has no log probability. */
function logprobsOf(
  tokenizer: Tokenizer,
  { first, whole, places }: { first: number; whole: readonly number[]; places: readonly PlaceScore[] },
): CompletionLogprobs {
  const stream = createTextStream(tokenizer, { skipSpecialTokens: false });
  const lists: CompletionLogprobs = { tokens: [], token_logprobs: [], top_logprobs: [], text_offset: [] };
  const ids = [...whole, ...places.slice(whole.length - 1).map(({ id }) => id)];
  let offset = 0;
  for (const [index, id] of ids.entries()) {
    if (index >= first) {
      const place = places[index - 1];
      lists.tokens.push(tokenLabel(tokenizer, id));
      lists.text_offset.push(offset);
      lists.token_logprobs.push(place === undefined ? null : place.logprob);
      lists.top_logprobs.push(place === undefined ? null : labelled(tokenizer, place, place.top));
    }
    const text = stream.push([id]);
    if (index >= first) offset += [...text].length;
  }
  return lists;
}
