import { createRandom, type Random } from "../base/index.js";
import {
  type ChatTurn,
  createTextStream,
  encodeChatTemplate,
  type TextStream,
  type Tokenizer,
} from "../tokenizers/index.js";
import { encodeText, prefixToken } from "./beginToken.js";
import type { Generation, GenerationOptions, GenerationRequest, Prompt } from "./generation.js";
import { type ResolvedSettings, resolveSettings } from "./generationSettings.js";
import type { Logits } from "./nextToken.js";
import { requireOptions } from "./requireOptions.js";
import { type StopText, watchStops } from "./stopText.js";
import { chooseToken } from "./tokenSampler.js";

/** One answer in the making: whoever has logits gives them to `accept` until it is finished. */
export class GenerationRow {
  /** Tokens to go on from; at least one. */
  readonly prompt: readonly number[];
  /** The most tokens of the answer. */
  readonly limit: number;
  readonly #tokens: number[] = [];
  readonly #seen: Set<number>;
  readonly #settings: ResolvedSettings;
  readonly #ends: ReadonlySet<number>;
  readonly #stream: TextStream;
  readonly #stops: StopText;
  readonly #random: Random;
  readonly #onText: (text: string) => void;
  readonly #onFinished: () => void;
  readonly #truncated: number;
  #text = "";
  #finish: Generation["finish"] | undefined;

  /**
   * @param index place of the request in its batch
   * @param contextLength the most tokens the model reads at once
   * @throws CONFIG_VALUE, DATA_INVALID for a prompt that cannot be read
   */
  constructor(
    tokenizer: Tokenizer,
    { request, options, index }: { request: GenerationRequest; options: GenerationOptions; index: number },
    contextLength: number,
  ) {
    requireOptions(options);
    const settings = resolveSettings(request, options, index);
    const room = options.maxLength ?? contextLength;
    const whole = promptTokens(tokenizer, request.prompt, options);
    const { prompt, limit } = fitted(whole, room, settings.maxNewTokens, options.givesWay ?? "prompt");
    this.prompt = prompt;
    this.limit = limit;
    this.#truncated = whole.length - prompt.length;
    const { texts, tokens } = splitStops(tokenizer, settings);
    this.#settings = settings;
    this.#ends = tokens;
    this.#stops = watchStops(texts);
    this.#seen = new Set(this.prompt);
    this.#stream = createTextStream(tokenizer, { skipSpecialTokens: !options.keepSpecialTokens });
    this.#random = createRandom(settings.seed, "generation");
    this.#onText = (text) => {
      this.#text += text;
      if (text !== "") options.onText?.({ index, text });
    };
    this.#onFinished = () => {
      options.onAnswered?.(1);
      options.onGeneration?.({ index, generation: this.result() });
    };
  }

  get finished(): boolean {
    return this.#finish !== undefined;
  }

  /** Prompt and answer so far. */
  get tokens(): readonly number[] {
    return [...this.prompt, ...this.#tokens];
  }

  /** The token that was accepted last. */
  get last(): number {
    return this.#tokens.at(-1) ?? this.prompt.at(-1)!;
  }

  /** Chooses the next token. @param logits after all tokens so far */
  accept(logits: Logits): void {
    const token = chooseToken(logits, this.#seen, this.#settings, this.#random);
    if (this.#ends.has(token)) {
      this.#end("stop");
      return;
    }
    this.#tokens.push(token);
    this.#seen.add(token);
    this.#onText(this.#stops.push(this.#stream.push([token])));
    if (this.#stops.found) this.#finished("stop");
    else if (this.#tokens.length >= this.limit) this.#end("length");
  }

  result(): Generation {
    if (this.#finish === undefined) throw new Error("the answer is not finished");
    return { text: this.#text, tokens: this.#tokens, finish: this.#finish, truncated: this.#truncated };
  }

  #end(finish: Generation["finish"]): void {
    this.#onText(this.#stops.push(this.#stream.end()));
    this.#onText(this.#stops.end());
    this.#finished(this.#stops.found ? "stop" : finish);
  }

  #finished(finish: Generation["finish"]): void {
    this.#finish = finish;
    this.#onFinished();
  }
}

/** What is read of a prompt, and the most tokens of its answer. */
function fitted(
  whole: readonly number[],
  room: number,
  wanted: number,
  givesWay: "prompt" | "answer",
): { prompt: readonly number[]; limit: number } {
  if (givesWay === "answer") {
    const prompt = whole.slice(-room);
    return { prompt, limit: Math.max(1, Math.min(wanted, room - prompt.length)) };
  }
  const reserved = wanted < room ? wanted : Math.floor(room / 2);
  const prompt = whole.slice(-Math.max(1, room - reserved));
  // The last token of the answer is not read.
  return { prompt, limit: Math.min(wanted, room - prompt.length + 1) };
}

/** The tokens of a prompt; never none. @throws CAPABILITY_MISSING */
export function promptTokens(
  tokenizer: Tokenizer,
  prompt: Prompt,
  options: GenerationOptions,
): readonly number[] {
  const tokens = encodePrompt(tokenizer, prompt, options);
  return tokens.length > 0 ? tokens : [prefixToken(tokenizer)];
}

function encodePrompt(tokenizer: Tokenizer, prompt: Prompt, options: GenerationOptions): readonly number[] {
  if (typeof prompt === "string") return encodeText(tokenizer, prompt, options);
  if (isChat(prompt)) return encodeChatTemplate(tokenizer, prompt, { addGenerationPrompt: true });
  return prompt;
}

/** Whether a prompt is made of turns. */
export function isChat(prompt: Prompt): prompt is readonly ChatTurn[] {
  return typeof prompt === "object" && typeof prompt[0] === "object";
}

/** Decoded text has no names of special tokens: such a stop is watched for among the tokens. */
function splitStops(tokenizer: Tokenizer, { stop, stopTokens }: ResolvedSettings) {
  const specials = new Set(tokenizer.specialIds);
  const tokens = new Set(stopTokens ?? [tokenizer.special.eos].filter((id) => id !== undefined));
  const texts = stop.filter((text) => {
    const id = tokenizer.tokenToId(text);
    if (id === undefined || !specials.has(id)) return true;
    tokens.add(id);
    return false;
  });
  return { texts, tokens };
}
