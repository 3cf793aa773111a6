import { expect, test } from "vitest";
import { createByteTokenizer, languageModelOf, loadDataset, ScriptedLanguageModel } from "../../src/index.js";
import type { CausalModel } from "../../src/models/index.js";

/** Where TensorFlow.js keeps its one engine. */
const engine = () => (globalThis as { _tfGlobals?: unknown })._tfGlobals;

test("having the package, its language models and tokenizers loads no TensorFlow.js; making a model of it does", async () => {
  const tokenizer = createByteTokenizer();
  expect(new ScriptedLanguageModel({ tokenizer }).tokenizer).toBe(tokenizer);
  expect(loadDataset).toBeTypeOf("function");
  expect(engine()).toBeUndefined();
  const none = { name: "none", vocabularySize: 0 } as CausalModel;
  await expect(languageModelOf(none, tokenizer)).rejects.toThrow("The tokenizer has 259 tokens");
  expect(engine()).toBeDefined();
});
