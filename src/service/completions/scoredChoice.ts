import type { CompletionLogprobs } from "../../api/index.js";
import type { Generation, LanguageModel } from "../../language/index.js";
import { createTextStream, type Tokenizer } from "../../tokenizers/index.js";
import { labelled, tokenLabel } from "./tokenLabels.js";
import { type PlaceScore, scoreTokens } from "./tokenScores.js";

/** What is scored: a prompt, and the answer to it. */
export interface ChoiceToScore {
  /** The text too where it was given as one. */
  readonly prompt: { readonly text: string | undefined; readonly tokens: readonly number[] };
  /** Absent where nothing was generated. */
  readonly answer: Generation | undefined;
  /** Without an answer: the most likely token is the answer. */
  readonly chooses: boolean;
  /** The prompt's tokens are listed too. */
  readonly echo: boolean;
  readonly top: number;
  readonly signal: AbortSignal;
}

/** An answer with the log probabilities of its tokens. */
export interface ScoredChoice {
  readonly text: string;
  readonly finish: "stop" | "length";
  /** Tokens of the answer. */
  readonly made: number;
  readonly logprobs: CompletionLogprobs;
}

/** Scores prompt and answer in one pass. */
export async function scoredChoice(
  model: LanguageModel,
  { prompt, answer, chooses, echo, top, signal }: ChoiceToScore,
): Promise<ScoredChoice> {
  const { tokenizer } = model as { tokenizer: Tokenizer };
  const { contextLength = Number.POSITIVE_INFINITY } = model;
  const { tokens: asked } = prompt;
  const whole = [...asked, ...(answer?.tokens ?? [])];
  const [pass] = await scoreTokens(model, [whole], { top, contextLength, signal });
  const { places, next } = pass!;
  const isEnd = next !== undefined && next.id === tokenizer.special.eos;
  const chosen = next !== undefined && (chooses || (answer?.finish === "stop" && isEnd));
  const last: PlaceScore[] = chosen ? [{ ...next, top: top > 0 ? [next] : [] }] : [];
  const logprobs = listed(tokenizer, {
    places: [...places, ...last],
    ids: [...whole, ...last.map(({ id }) => id)],
    first: echo ? 0 : asked.length,
    silent: hasSilentStart(tokenizer, prompt),
  });
  if (answer !== undefined) {
    return { text: answer.text, finish: answer.finish, made: answer.tokens?.length ?? 0, logprobs };
  }
  const text = chosen && !isEnd ? tokenizer.decode([next.id]) : "";
  return { text, finish: chosen && isEnd ? "stop" : "length", made: last.length, logprobs };
}

/** Whether the first token was put in front of a text, which does not show it. */
function hasSilentStart(tokenizer: Tokenizer, { text, tokens }: ChoiceToScore["prompt"]): boolean {
  const { bos } = tokenizer.special;
  if (text === undefined || bos === undefined || tokens[0] !== bos) return false;
  return !text.startsWith(tokenizer.idToToken(bos) ?? "");
}

interface Listed {
  readonly ids: readonly number[];
  /** Of every id but the first, which nothing stands before. */
  readonly places: readonly PlaceScore[];
  /** The first that is listed; text begins there. */
  readonly first: number;
  readonly silent: boolean;
}

/** The lists of OpenAI's completions. */
function listed(tokenizer: Tokenizer, { ids, places, first, silent }: Listed): CompletionLogprobs {
  const stream = createTextStream(tokenizer, { skipSpecialTokens: false });
  const lists: CompletionLogprobs = { tokens: [], token_logprobs: [], top_logprobs: [], text_offset: [] };
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
    if (index >= first && !(silent && index === 0)) offset += [...text].length;
  }
  return lists;
}
