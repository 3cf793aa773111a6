import { ElenchusError } from "../../base/index.js";
import type { Generation, GenerationOptions, GenerationRequest } from "../generation.js";
import { type ResolvedSettings, resolveSettings } from "../generationSettings.js";
import type { LanguageModel, TokenLogits } from "../languageModel.js";
import { requireOptions } from "../requireOptions.js";
import { rollingRows } from "../rollingRows.js";
import type {
  LogLikelihood,
  LogLikelihoodOptions,
  LogLikelihoodRequest,
  RollingLogLikelihood,
  RollingOptions,
} from "../scoring.js";
import { watchStops } from "../stopText.js";
import { logLikelihoodOf, rollingResults, type TokenScores, watchTexts } from "../tokenLanguageModel.js";
import { type TokenRow, tokenRows } from "../tokenRows.js";
import { splitTrailingSpace } from "../trailingSpace.js";
import { type AnswerPart, parseChat, parseCompletion, parsePart, parseUsage } from "./answers.js";
import { scoresOfText, scoresOfTokens } from "./echoedScores.js";
import { EndpointConnection } from "./endpointConnection.js";
import type { EndpointEnvironment, EndpointSettings } from "./endpointSettings.js";
import { type GenerationPost, generationPost, requireKnown } from "./generationPost.js";
import { missingCapability } from "./missingCapability.js";

/**
 * A model behind a server that speaks OpenAI's protocol. Continuations are scored by completions that echo the
 * prompt with log probabilities; answers come from the chat or from completions. What the server does not give is
 * CAPABILITY_MISSING.
 */
export class EndpointLanguageModel implements LanguageModel {
  readonly name: string;
  readonly #settings: EndpointSettings;
  readonly #connection: EndpointConnection;

  /** @throws CONFIG_VALUE for an address that is none, and other settings that make no sense */
  constructor(settings: EndpointSettings, environment?: EndpointEnvironment) {
    this.name = settings.model;
    this.#settings = settings;
    this.#connection = new EndpointConnection(settings, environment);
  }

  async logLikelihood(
    requests: readonly LogLikelihoodRequest[],
    options: LogLikelihoodOptions = {},
  ): Promise<LogLikelihood[]> {
    const { tokenizer } = this.#settings;
    if (tokenizer === undefined) {
      requireOptions(options);
      const texts = requests.map((request, index) => wholeText(request, index, options));
      return await this.#connection.each(texts, options.signal, async (text, _, signal) => {
        const choice = await this.#echo(text.whole, signal);
        const result = logLikelihoodOf(scoresOfText(choice, text), 0);
        options.onAnswered?.(1);
        return result;
      });
    }
    const room = options.maxLength ?? this.#settings.contextLength ?? Number.POSITIVE_INFINITY;
    const rows = tokenRows(tokenizer, requests, options, room);
    const { signal, onAnswered } = options;
    const scores = await this.#score(rows, signal, onAnswered && (() => onAnswered(1)));
    return rows.map(({ truncated }, index) => logLikelihoodOf(scores[index]!, truncated));
  }

  async rollingLogLikelihood(
    texts: readonly string[],
    options: RollingOptions = {},
  ): Promise<RollingLogLikelihood[]> {
    const { tokenizer } = this.#settings;
    const room = options.maxLength ?? this.#settings.contextLength;
    if (tokenizer === undefined || room === undefined) {
      throw missingCapability(
        "windows of a text are made of tokens: give its tokenizer and its context length",
      );
    }
    const windows = texts.map((text) => rollingRows(tokenizer, text, options, room));
    const { signal, onAnswered } = options;
    const onWindow = onAnswered && watchTexts(windows, onAnswered);
    return rollingResults(windows, await this.#score(windows.flat(), signal, onWindow));
  }

  async generate(
    requests: readonly GenerationRequest[],
    options: GenerationOptions = {},
  ): Promise<Generation[]> {
    requireOptions(options);
    const resolved = requests.map(({ prompt, ...own }, index) => ({
      prompt,
      settings: resolveSettings(own, options, index),
    }));
    for (const { settings } of resolved) requireKnown(settings, this.#settings);
    return await this.#connection.each(
      resolved,
      options.signal,
      async ({ prompt, settings }, index, signal) => {
        const request = generationPost(prompt, settings, this.#settings);
        const { onText, onAnswered, onGeneration } = options;
        const answer = onText
          ? await this.#streamed(request, settings, signal, (text) => onText({ index, text }))
          : await this.#answer(request, settings, signal);
        onAnswered?.(1);
        onGeneration?.({ index, generation: answer });
        return answer;
      },
    );
  }

  /**
   * Posts any document of the protocol, with the attempts and the pace of all requests to this server, and gives back
   * the one that is answered.
   * @param path below the address, for example `/embeddings`
   * @throws ENDPOINT_REFUSED, ENDPOINT_UNREACHABLE, ENDPOINT_INVALID, CAPABILITY_MISSING
   */
  async post(path: string, body: unknown, signal?: AbortSignal): Promise<unknown> {
    return await this.#connection.post(path, body, signal ?? new AbortController().signal);
  }

  async forward(): Promise<TokenLogits[]> {
    throw missingCapability("a server gives out no logits: use a model on this machine");
  }

  async #score(
    rows: readonly TokenRow[],
    signal: AbortSignal | undefined,
    onRow: ((row: number) => void) | undefined,
  ): Promise<TokenScores[]> {
    return await this.#connection.each(rows, signal, async ({ context, continuation }, index, either) => {
      const prompt = [...context, ...continuation];
      const choice = await this.#echo(prompt, either);
      const scores = scoresOfTokens(choice, { contextTokens: context.length, tokens: prompt.length });
      onRow?.(index);
      return scores;
    });
  }

  /** Some servers refuse to generate nothing: one token more is asked for, and not looked at. */
  async #echo(prompt: string | readonly number[], signal: AbortSignal) {
    const body = { model: this.name, prompt, max_tokens: 1, temperature: 0, logprobs: 1, echo: true };
    return parseCompletion(await this.#connection.post("/completions", body, signal));
  }

  async #answer(
    request: GenerationPost,
    { stop }: ResolvedSettings,
    signal: AbortSignal,
  ): Promise<Generation> {
    const { text, reason, usage } = await this.#whole(request, signal);
    const stops = watchStops(stop);
    const answer = answerOf(stops.push(text) + stops.end(), stops.found, reason);
    return usage === undefined ? answer : { ...answer, usage };
  }

  async #whole(
    { path, body }: GenerationPost,
    signal: AbortSignal,
  ): Promise<AnswerPart & Pick<Generation, "usage">> {
    const answer = await this.#connection.post(path, body, signal);
    const usage = parseUsage(answer);
    if (path === "/completions") {
      const { text, finish_reason: reason } = parseCompletion(answer);
      return { text, reason: reason ?? undefined, usage };
    }
    const { message, finish_reason: reason } = parseChat(answer);
    return { text: message.content ?? "", reason: reason ?? undefined, usage };
  }

  /**
   * What has been told cannot be taken back: an answer that broke off and is given anew must say the same again.
   * @throws ENDPOINT_UNREACHABLE where it does not
   */
  async #streamed(
    { path, body }: GenerationPost,
    settings: ResolvedSettings,
    signal: AbortSignal,
    tell: (text: string) => void,
  ): Promise<Generation> {
    let told = "";
    return await this.#connection.stream(path, { ...body, stream: true }, signal, async (parts) => {
      const stops = watchStops(settings.stop);
      let text = "";
      let reason: string | undefined;
      const add = (piece: string) => {
        text += piece;
        const common = Math.min(told.length, text.length);
        if (told.slice(0, common) !== text.slice(0, common)) throw toldOtherwise(told);
        if (text.length <= told.length) return;
        tell(text.slice(told.length));
        told = text;
      };
      for await (const part of parts) {
        const { text: piece, reason: ended } = parsePart(part, path);
        add(stops.push(piece));
        reason = ended ?? reason;
        if (stops.found) break;
      }
      if (!stops.found && reason === undefined) return undefined;
      add(stops.end());
      return answerOf(text, stops.found, reason);
    });
  }
}

function answerOf(text: string, stopped: boolean, reason: string | undefined): Generation {
  const finish = !stopped && reason === "length" ? "length" : "stop";
  return { text, tokens: undefined, finish, truncated: 0 };
}

function toldOtherwise(told: string): ElenchusError {
  return new ElenchusError(
    "ENDPOINT_UNREACHABLE",
    `The endpoint broke off after ${told.length} characters, and asked again it says something else. Set a seed, or ask without onText.`,
  );
}

/** A text and where its continuation begins, for a server that makes the tokens itself. */
function wholeText(
  request: LogLikelihoodRequest,
  index: number,
  { moveSpace = true, boundary = "joint" }: LogLikelihoodOptions,
) {
  const { context, continuation } = request;
  if (typeof context !== "string")
    throw missingCapability("tokens can only be given to it with its tokenizer");
  if (boundary === "separate") throw missingCapability('boundary = "separate" needs its tokenizer');
  if (continuation.length === 0) {
    throw new ElenchusError("DATA_INVALID", `Request ${index} has no continuation to score.`);
  }
  const bare = moveSpace ? splitTrailingSpace(context)[0] : context;
  if (bare === "") {
    throw missingCapability(
      "without its tokenizer nothing can stand before a text: give a context, or its tokenizer",
    );
  }
  const whole = context + continuation;
  return { whole, boundary: [...bare].length, length: [...whole].length };
}
