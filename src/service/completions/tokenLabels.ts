import type { Tokenizer } from "../../tokenizers/index.js";

/**
 * What a token is called in a list of log probabilities: its text, `bytes:\xe2\x80` where it is a part of a character,
 * its name where it is a special token. Two tokens may have one text; a list that is looked up by text then needs
 * `token_id:N` for one of them.
 */
export function tokenLabel(tokenizer: Tokenizer, id: number): string {
  const bytes = tokenizer.tokenBytes(id);
  if (bytes.length === 0) return tokenizer.idToToken(id) ?? idLabel(id);
  const text = Buffer.from(bytes).toString("utf8");
  if (Buffer.from(text, "utf8").equals(Buffer.from(bytes))) return text;
  return `bytes:${[...bytes].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("")}`;
}

/** A name that no two tokens share. */
export function idLabel(id: number): string {
  return `token_id:${id}`;
}

/** Log probabilities of the most likely tokens by their labels, and of the token that stands there. */
export function labelled(
  tokenizer: Tokenizer,
  own: { readonly id: number; readonly logprob: number },
  top: readonly { readonly id: number; readonly logprob: number }[],
): Record<string, number> {
  const label = tokenLabel(tokenizer, own.id);
  const entries = new Map<string, number>();
  for (const { id, logprob } of top) {
    const name = tokenLabel(tokenizer, id);
    const taken = id !== own.id && (name === label || entries.has(name));
    entries.set(taken ? idLabel(id) : name, logprob);
  }
  if (!top.some(({ id }) => id === own.id)) entries.set(label, own.logprob);
  return Object.fromEntries(entries);
}
