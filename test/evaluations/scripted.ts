import {
  type Inference,
  inferenceOf,
  PerplexityEvaluation,
  RolloutEvaluation,
} from "../../src/evaluations/index.js";
import { type Script, ScriptedLanguageModel } from "../../src/language/index.js";

/** Logits under which bytes at even places have probability 1/2, and the rest share what is left equally. */
export const VOCABULARY = 259;

/** Every one of 256 equally likely tokens: 8 bits for each byte. */
export const uniform = () => Float64Array.from({ length: VOCABULARY }, (_, id) => (id < 256 ? 0 : -1e9));

/** After anything, `a` has probability 1/2, `b` 1/4, `c` and `d` 1/8 each: 1, 2, 3 and 3 bits. */
export const halves = () => {
  const logits = new Float64Array(VOCABULARY).fill(-1e9);
  for (const [letter, share] of Object.entries({ a: 1 / 2, b: 1 / 4, c: 1 / 8, d: 1 / 8 })) {
    logits[letter.charCodeAt(0)] = Math.log(share);
  }
  return logits;
};

export function scripted(script: Script, blockSize = 64): Inference & { model: ScriptedLanguageModel } {
  const model = new ScriptedLanguageModel({ contextLength: blockSize, ...script });
  return { ...inferenceOf(model), model };
}

/** Texts whose perplexity is asked for. */
export class Texts extends PerplexityEvaluation {
  readonly name: string = "texts_ppl";
  constructor(readonly texts: readonly string[]) {
    super({});
  }
  get length() {
    return this.texts.length;
  }
  get(index: number) {
    return this.texts[index]!;
  }
}

/** Prompts and the answer that each should get. */
export class Questions extends RolloutEvaluation {
  readonly name: string = "questions";
  constructor(readonly rows: readonly (readonly [string, string])[]) {
    super({});
  }
  get length() {
    return this.rows.length;
  }
  get(index: number) {
    return this.rows[index]!;
  }
  override clean(text: string) {
    return text.trim();
  }
  override check(expected: string, answer: string) {
    return expected === answer;
  }
}
