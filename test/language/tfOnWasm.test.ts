import * as tf from "@tensorflow/tfjs-core";
import { beforeAll, expect, test } from "vitest";
import { createRandom, silentLogger } from "../../src/base/index.js";
import { loadBackend } from "../../src/compute/index.js";
import { TfLanguageModel } from "../../src/language/tensorflow/index.js";
import { type CausalModel, createModel } from "../../src/models/index.js";
import { tokenizer } from "./bigram.js";
import { BigramModel } from "./bigramModel.js";
import { languageModelSuite } from "./suites/languageModelSuite.js";

beforeAll(async () => {
  await loadBackend("wasm", { logger: silentLogger });
});

languageModelSuite(
  "on the WebAssembly back end",
  async () => new TfLanguageModel(new BigramModel(), tokenizer),
  { forwards: true },
);

test("on the WebAssembly back end, too, nothing depends on batches or the cache", async () => {
  const parameters = { n_layer: 2, n_head: 2, n_embd: 16, block_size: 96, vocab_size: 259 };
  const request = { inputShape: [4], classes: 259, parameters, random: createRandom(1) };
  const model = (await createModel({ model_name: "gpt" }, request)) as CausalModel;
  const [fast, slow] = [true, false].map((cache) => new TfLanguageModel(model, tokenizer, { cache }));
  const before = tf.memory().numTensors;
  const context = "What is the largest of all planets? It is";
  const requests = [" Mars", " Jupiter", " Saturn", " J"].map((continuation) => ({ context, continuation }));
  const together = await fast!.logLikelihood(requests);
  for (const [index, one] of requests.entries()) {
    const [alone] = await slow!.logLikelihood([one]);
    expect(Math.abs(alone!.logLikelihood - together[index]!.logLikelihood)).toBeLessThan(1e-5);
  }
  const prompts = [{ prompt: context }, { prompt: `${context} J` }, { prompt: "z", temperature: 1, seed: 3 }];
  const answers = await fast!.generate(prompts, { maxNewTokens: 8 });
  expect(await slow!.generate(prompts, { maxNewTokens: 8 })).toEqual(answers);
  expect(tf.memory().numTensors).toBe(before);
});
