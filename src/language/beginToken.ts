import { ElenchusError } from "../base/index.js";
import type { Tokenizer } from "../tokenizers/index.js";
import type { TextOptions } from "./scoring.js";

/** Tokens of a text, with a begin token in front as the options say. @throws CAPABILITY_MISSING */
export function encodeText(
  tokenizer: Tokenizer,
  text: string,
  { bos = "tokenizer", specialTokens = "parse" }: TextOptions,
): number[] {
  const ids = tokenizer.encode(text, { specialTokens });
  const begin = tokenizer.special.bos;
  if (bos === "never" || (bos === "tokenizer" && !putsBegin(tokenizer))) return ids;
  if (begin === undefined) {
    throw new ElenchusError(
      "CAPABILITY_MISSING",
      `The tokenizer has no begin token, which bos = "always" asks for. Use "tokenizer" or "never".`,
    );
  }
  return ids[0] === begin ? ids : [begin, ...ids];
}

/**
 * What stands in front of a text that has nothing before it: the begin token, else the end token.
 * @throws CAPABILITY_MISSING where the tokenizer has neither
 */
export function prefixToken({ special }: Tokenizer): number {
  const prefix = special.bos ?? special.eos;
  if (prefix !== undefined) return prefix;
  throw new ElenchusError(
    "CAPABILITY_MISSING",
    "A text without context is scored after a begin or end token, and the tokenizer has neither. Give a context.",
  );
}

function putsBegin(tokenizer: Tokenizer): boolean {
  const { bos } = tokenizer.special;
  return bos !== undefined && tokenizer.encode("", { addSpecialTokens: true })[0] === bos;
}
