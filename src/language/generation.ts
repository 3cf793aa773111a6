import type { ChatTurn } from "../tokenizers/index.js";
import type { TextOptions } from "./scoring.js";

/** What a model goes on from: a text, turns of a chat (rendered by the chat template), or tokens. */
export type Prompt = string | readonly ChatTurn[] | readonly number[];

/** How tokens are chosen, and when they end. */
export interface GenerationSettings {
  /**
   * Default 256. Room for so many is kept free, unless `givesWay` says otherwise: a prompt that is too long loses its
   * beginning, and where the model could not read so many at all, half of what it reads at once is for the prompt.
   */
  readonly maxNewTokens?: number | undefined;
  /** 0 (default): the most likely token, of equals the one with the smallest id. Else logits are divided by it. */
  readonly temperature?: number | undefined;
  /** Draws among the k most likely tokens, and those as likely as the last of them. 0 (default): among all. */
  readonly topK?: number | undefined;
  /** Draws among the most likely tokens that have this share together; the one that crosses it stays. Default 1. */
  readonly topP?: number | undefined;
  /** What becomes of the token that crosses the share: `keep` (default), or `drop` it unless it is the first. */
  readonly topPCrossing?: "keep" | "drop" | undefined;
  /**
   * Makes tokens of the prompt and the answer less likely: positive logits are divided by it, others multiplied
   * (Keskar et al. 2019). 1 (default): not.
   */
  readonly repetitionPenalty?: number | undefined;
  /** Texts that end an answer and are cut off. The name of a special token means that token. Default none. */
  readonly stop?: readonly string[] | undefined;
  /** Tokens that end an answer. Default: the tokenizer's end token. */
  readonly stopTokens?: readonly number[] | undefined;
  /** Requests with equal prompt, settings and seed get equal answers, whatever else is asked. Default 0. */
  readonly seed?: number | string | undefined;
}

/** A prompt, and where it differs from the settings of the batch. */
export interface GenerationRequest extends GenerationSettings {
  readonly prompt: Prompt;
}

/** Settings of the whole batch. */
export interface GenerationOptions extends GenerationSettings, TextOptions {
  /** Whether special tokens stand in the text by name. Default false. */
  readonly keepSpecialTokens?: boolean | undefined;
  /**
   * What is cut where a prompt and `maxNewTokens` are more than the model reads at once: the beginning of the
   * `prompt` (default, as the harness does), or the `answer`, as lighteval does; a prompt that fills the model by
   * itself is then answered with one token. A server decides for itself.
   */
  readonly givesWay?: "prompt" | "answer" | undefined;
  /** Hears of text as it comes; all pieces of a request together are its text. */
  readonly onText?: ((piece: { index: number; text: string }) => void) | undefined;
  /** Hears of an answer when it is finished, before the others are. A model may say nothing of some. */
  readonly onGeneration?: ((finished: { index: number; generation: Generation }) => void) | undefined;
}

/** An answer. */
export interface Generation {
  readonly text: string;
  /**
   * Tokens of the answer: without an end token, with those of a stop text. Absent where the model gives out none.
   */
  readonly tokens: readonly number[] | undefined;
  /** `stop`: by an end token or a stop text; `length`: there was no more room or allowance. */
  readonly finish: "stop" | "length";
  /** Tokens of the prompt that were left out at its beginning for want of room. */
  readonly truncated: number;
  /** Tokens read and written as a server counts them; absent where it does not say, and for models of this machine. */
  readonly usage?: { readonly input: number; readonly output: number } | undefined;
}
