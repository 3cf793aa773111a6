import { createByteTokenizer } from "../../src/tokenizers/index.js";

/** Tokens of a text, by the byte tokenizer: begin 256, end 257. */
export const tokenizer = createByteTokenizer();
export const [BEGIN, END] = [256, 257];
export const CONTEXT_LENGTH = 8;

/**
 * What follows what, and how likely. After any other token all are alike. Greedy: a b c a b c ..., and e d, which
 * is the end.
 */
const FOLLOWS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  begin: { a: 1 / 2, b: 1 / 4, c: 1 / 4 },
  a: { b: 1 / 2, c: 1 / 4, " ": 1 / 4 },
  b: { c: 7 / 8, a: 1 / 8 },
  c: { a: 1 / 2, b: 1 / 4, end: 1 / 4 },
  " ": { b: 3 / 4, c: 1 / 4 },
  d: { end: 1 },
  e: { d: 1 },
};

const idOf = (name: string) => ({ begin: BEGIN, end: END })[name] ?? name.charCodeAt(0);

/** Logits after each token, [259, 259] row by row; what never follows has one so small that nothing is left of it. */
export const TABLE = ((): Float32Array => {
  const size = tokenizer.vocabularySize;
  const table = new Float32Array(size * size);
  for (const [before, after] of Object.entries(FOLLOWS)) {
    const row = table.subarray(idOf(before) * size, (idOf(before) + 1) * size).fill(-1000);
    for (const [token, share] of Object.entries(after)) row[idOf(token)] = Math.log(share);
  }
  return table;
})();

export function logitsAfter(tokens: readonly number[]): Float32Array {
  const size = tokenizer.vocabularySize;
  return TABLE.slice(tokens.at(-1)! * size, (tokens.at(-1)! + 1) * size);
}
