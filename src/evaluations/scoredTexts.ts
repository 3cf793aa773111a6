import { ElenchusError } from "../base/index.js";
import { prefixToken } from "../language/index.js";
import type { Tokenizer } from "../tokenizers/index.js";
import type { MeasureRequest } from "./evaluation.js";

/** A text and as much of it as is read. */
export interface ReadText {
  readonly text: string;
  /** Tokens that are read. */
  readonly ids: readonly number[];
  /** Bytes (UTF-8) of what is read. */
  readonly bytes: number;
  /** Whether that is not all. */
  readonly truncated: boolean;
}

/** What a model says of a text. */
export interface ScoredText {
  /** Negative log-likelihood, in nats. */
  readonly nll: number;
  /** Tokens that were scored. */
  readonly tokens: number;
  readonly bytes: number;
}

/**
 * Cuts a text to the first `block_size` tokens, or not where windows roll over it.
 * @throws DATA_INVALID for a text without tokens
 */
export function readText(text: string, { inference, settings }: MeasureRequest): ReadText {
  const { tokenizer, blockSize } = inference;
  const theseus = settings.compat === "theseus";
  const all = tokenizer.encode(text, { specialTokens: theseus ? "parse" : "text" });
  if (all.length === 0) throw new ElenchusError("DATA_INVALID", "The text has no tokens to score.");
  const truncated = !rolls(settings) && all.length > blockSize;
  const ids = truncated ? all.slice(0, blockSize) : all;
  // Theseus counts the bytes of texts that it has cut, which makes them look easier than they are.
  const bytes = truncated && !theseus ? bytesRead(tokenizer, text, ids) : Buffer.byteLength(text);
  return { text, ids, bytes, truncated };
}

/** Scores texts as far as they are read, each from its first token on; as Theseus does, from the second. */
export async function scoreTexts(texts: readonly ReadText[], request: MeasureRequest): Promise<ScoredText[]> {
  const { settings } = request;
  const scored =
    settings.compat === "theseus"
      ? await scoreRest(texts, request)
      : rolls(settings)
        ? await scoreWindows(texts, request)
        : await scoreAll(texts, request);
  return scored.map((one, place) => ({
    nll: -one.logLikelihood,
    tokens: one.tokenCount,
    bytes: texts[place]!.bytes,
  }));
}

interface Score {
  readonly logLikelihood: number;
  readonly tokenCount: number;
}

function rolls({ rolling, compat }: MeasureRequest["settings"]): boolean {
  return rolling && compat === undefined;
}

function scoreWindows(texts: readonly ReadText[], { inference, signal }: MeasureRequest): Promise<Score[]> {
  return inference.model.rollingLogLikelihood(
    texts.map(({ text }) => text),
    { bos: "never", specialTokens: "text", maxLength: inference.blockSize, signal },
  );
}

function scoreAll(texts: readonly ReadText[], { inference, signal }: MeasureRequest): Promise<Score[]> {
  const context = texts.length === 0 ? [] : [prefixToken(inference.tokenizer)];
  return inference.model.logLikelihood(
    texts.map(({ ids }) => ({ context, continuation: ids })),
    { maxLength: inference.blockSize, signal },
  );
}

/** Without anything in front, so that the first token of each is context alone. */
async function scoreRest(
  texts: readonly ReadText[],
  { inference, signal }: MeasureRequest,
): Promise<Score[]> {
  const longer = texts.filter(({ ids }) => ids.length > 1);
  const scores = await inference.model.logLikelihood(
    longer.map(({ ids }) => ({ context: ids.slice(0, 1), continuation: ids.slice(1) })),
    { maxLength: inference.blockSize, signal },
  );
  let next = 0;
  return texts.map(({ ids }) => (ids.length > 1 ? scores[next++]! : { logLikelihood: 0, tokenCount: 0 }));
}

/** Bytes of the part of a text that its first tokens stand for. */
function bytesRead(tokenizer: Tokenizer, text: string, ids: readonly number[]): number {
  if (tokenizer.byteLevel) return ids.reduce((sum, id) => sum + tokenizer.tokenBytes(id).length, 0);
  const { offsets } = tokenizer.encodeWithOffsets(text, { specialTokens: "text" });
  return Buffer.byteLength(text.slice(0, offsets[ids.length - 1]![1]));
}
