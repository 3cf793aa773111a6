import { ElenchusError } from "../base/index.js";
import type { Tokenizer } from "../tokenizers/index.js";
import { encodeText, prefixToken } from "./beginToken.js";
import { requireOptions } from "./requireOptions.js";
import type { LogLikelihoodOptions, LogLikelihoodRequest } from "./scoring.js";
import { splitTrailingSpace } from "./trailingSpace.js";

/** What is scored: tokens after others. Neither is empty, and together they fit the model and one token more. */
export interface TokenRow {
  readonly context: readonly number[];
  readonly continuation: readonly number[];
  /** Tokens of the context that were left out. */
  readonly truncated: number;
}

/**
 * The rows of log-likelihood requests, by the rules of EleutherAI's evaluation harness or, with `separate`, of
 * lighteval.
 * @param contextLength the most tokens a model reads at once; the last one of a row is not read
 * @throws DATA_INVALID naming the request; CONFIG_VALUE for an option that is none
 */
export function tokenRows(
  tokenizer: Tokenizer,
  requests: readonly LogLikelihoodRequest[],
  options: LogLikelihoodOptions,
  contextLength: number,
): TokenRow[] {
  requireOptions(options);
  const room = options.maxLength ?? contextLength;
  return requests.map((request, index) => {
    const { context, continuation } = isText(request) ? encodePair(tokenizer, request, options) : request;
    if (continuation.length === 0) {
      throw new ElenchusError(
        "DATA_INVALID",
        `Request ${index} has no token to score. Expected a continuation that is not empty: one without tokens would win against every other.`,
      );
    }
    const row = context.length > 0 ? { context, continuation } : afterPrefix(tokenizer, continuation);
    if (row.continuation.length > 0) return truncated(row, index, room, options.truncation ?? "left");
    throw new ElenchusError(
      "DATA_INVALID",
      `Request ${index} is the begin of a text and nothing more. Expected a continuation behind it.`,
    );
  });
}

interface Pair {
  readonly context: readonly number[];
  readonly continuation: readonly number[];
}

function isText(
  request: LogLikelihoodRequest,
): request is Extract<LogLikelihoodRequest, { context: string }> {
  return typeof request.context === "string";
}

function encodePair(
  tokenizer: Tokenizer,
  request: { readonly context: string; readonly continuation: string },
  options: LogLikelihoodOptions,
): Pair {
  const { specialTokens = "parse", boundary = "joint", moveSpace = true } = options;
  const [bare, space] = moveSpace ? splitTrailingSpace(request.context) : [request.context, ""];
  const text = space + request.continuation;
  if (bare === "" || text === "" || boundary === "separate") {
    return {
      context: bare === "" ? [] : encodeText(tokenizer, bare, options),
      continuation: tokenizer.encode(text, { specialTokens }),
    };
  }
  const context = encodeText(tokenizer, bare, options);
  const whole = encodeText(tokenizer, bare + text, options);
  const continuation = whole.slice(context.length);
  if (continuation.length > 0) return { context, continuation };
  // The context's last tokens have merged with the continuation: what is scored begins with the merged token.
  const shared = Math.min(sharedLength(context, whole), whole.length - 1);
  return { context: whole.slice(0, shared), continuation: whole.slice(shared) };
}

function sharedLength(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((id, index) => id !== other[index]);
  return at < 0 ? one.length : at;
}

/** A continuation that brings the prefix itself is scored behind it. */
function afterPrefix(tokenizer: Tokenizer, continuation: readonly number[]): Pair {
  const prefix = prefixToken(tokenizer);
  return continuation[0] === prefix
    ? { context: [prefix], continuation: continuation.slice(1) }
    : { context: [prefix], continuation };
}

function truncated(
  { context, continuation }: Pair,
  index: number,
  room: number,
  side: "left" | "right" | "refuse",
): TokenRow {
  if (continuation.length > room) {
    throw new ElenchusError(
      "DATA_INVALID",
      `Request ${index} has a continuation of ${continuation.length} tokens, and the model reads ${room} at once. A continuation is not cut: shorten it, or score the text as a rolling one.`,
    );
  }
  const excess = context.length + continuation.length - (room + 1);
  if (excess <= 0) return { context, continuation, truncated: 0 };
  if (side === "refuse") {
    throw new ElenchusError(
      "DATA_INVALID",
      `Request ${index} is ${excess} tokens too long for a model that reads ${room} at once. Shorten the context, or allow truncation.`,
    );
  }
  const kept = side === "left" ? context.slice(excess) : context.slice(0, context.length - excess);
  return { context: kept, continuation, truncated: excess };
}
