import { ElenchusError } from "../../base/index.js";
import type { Tokenizer } from "../../tokenizers/index.js";
import type { SpanRequest } from "../request.js";

/** The tokens of a text up to a span, and those of the span. */
export interface PlannedSpan {
  readonly context: readonly number[];
  readonly continuation: readonly number[];
}

/**
 * Which tokens of texts are scored. Names of special tokens in them are ordinary text, and the begin token stands in
 * front of each.
 * @returns one span per text that is scored, or why there is none
 * @throws CAPABILITY_MISSING for a tokenizer without a begin token
 */
export function planSpans(
  tokenizer: Tokenizer,
  { form, prompts }: SpanRequest,
): PlannedSpan[] | { readonly refused: string } {
  const begin = beginToken(tokenizer);
  const rows = prompts.map((text) => [begin, ...tokenizer.encode(text, { specialTokens: "text" })]);
  if (form === "multiple_choice") return rows.map((row) => splitAt(row, sharedAtStart(rows)));
  if (form === "schema") return rows.map((row) => splitAt(row, row.length - sharedAtEnd(rows)));
  const [without = [], whole = []] = rows;
  if (whole.length > without.length && sharedAtStart([without, whole]) === without.length) {
    return [splitAt(whole, without.length)];
  }
  return {
    refused: "the tokens of its prompt are not those that the prompt with its continuation begins with",
  };
}

function splitAt(row: readonly number[], place: number): PlannedSpan {
  return { context: row.slice(0, place), continuation: row.slice(place) };
}

/** Tokens that all rows begin with. */
function sharedAtStart(rows: readonly (readonly number[])[]): number {
  const [first = [], ...others] = rows;
  const parting = first.findIndex((token, place) => others.some((row) => row[place] !== token));
  const shortest = Math.min(...rows.map((row) => row.length));
  return parting === -1 ? shortest : Math.min(parting, shortest);
}

/** Tokens that all rows end with. */
function sharedAtEnd(rows: readonly (readonly number[])[]): number {
  return sharedAtStart(rows.map((row) => row.toReversed()));
}

function beginToken({ special }: Tokenizer): number {
  if (special.bos !== undefined) return special.bos;
  throw new ElenchusError(
    "CAPABILITY_MISSING",
    "The tokenizer has no begin token, which CORE puts in front of every text. Use a tokenizer that has one.",
  );
}
