import * as tf from "@tensorflow/tfjs-core";
import { describe, expect, test } from "vitest";
import { createRandom } from "../../src/base/index.js";
import { type CausalModel, createModel, isCausalModel } from "../../src/models/index.js";
import "../support/cpuTensors.js";
import { distance } from "./golden.js";
import { causalSuite } from "./suites/causalSuite.js";

const build = async (name: string, parameters: Record<string, unknown>, classes = 10) =>
  (await createModel(
    { model_name: name },
    { inputShape: [4], classes, parameters, random: createRandom(1, name) },
  )) as CausalModel;

const llama = {
  max_position_embeddings: 16,
  hidden_size: 24,
  intermediate_size: 20,
  num_hidden_layers: 2,
  num_attention_heads: 6,
  num_key_value_heads: 2,
};
const gpt = { n_layer: 2, n_head: 2, n_embd: 8, block_size: 12 };

causalSuite("gpt", () => build("gpt", gpt));
causalSuite("llama", () => build("llama", llama));
causalSuite("mistral", () => build("mistral", { ...llama, sliding_window: 5 }));
causalSuite("qwen2", () =>
  build("qwen2", { ...llama, use_sliding_window: true, sliding_window: 3, max_window_layers: 1 }),
);
causalSuite("qwen3", () => build("qwen3", { ...llama, head_dim: 6, tie_word_embeddings: true }));
causalSuite("nanochat", () =>
  build("nanochat", {
    sequence_len: 4,
    n_layer: 3,
    n_head: 4,
    n_kv_head: 2,
    n_embd: 24,
    window_pattern: "L",
  }),
);

describe("a language model from scratch", () => {
  test("takes its vocabulary from the data, or is asked for a larger one", async () => {
    expect((await build("gpt", gpt, 37)).vocabularySize).toBe(37);
    expect((await build("gpt", { ...gpt, vocab_size: 40 }, 37)).vocabularySize).toBe(40);
    await expect(build("gpt", { ...gpt, vocab_size: 30 }, 37)).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining("vocab_size = 30, but the data has 37 tokens"),
    });
  });

  test("is told from other models", async () => {
    expect(isCausalModel(await build("gpt", gpt))).toBe(true);
    const other = { inputShape: [2], classes: 2, parameters: {}, random: createRandom(1) };
    expect(isCausalModel(await createModel({ model_name: "multilayer" }, other))).toBe(false);
  });

  test("has as many weights as its layers say", async () => {
    // Tokens 10*8, places 12*8; a layer: two norms 2*2*8, attention 8*24+24 + 8*8+8, dense 8*32+32 + 32*8+8;
    // the last norm 2*8; the head is the table of tokens.
    const layer = 32 + 216 + 72 + 288 + 264;
    const sizes = [...(await build("gpt", gpt)).weights().values()].map(({ data }) => data.length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(80 + 96 + 2 * layer + 16);
  });

  test("has no positions beyond its context where positions are learned", async () => {
    const model = await build("gpt", gpt);
    const tokens = tf.zeros<tf.Rank.R2>([1, 13], "int32");
    expect(() => model.forwardTokens(tokens, { training: false })).toThrow(
      expect.objectContaining({
        code: "DATA_INVALID",
        message: expect.stringContaining(
          "A row of 13 tokens is too long for gpt, which has positions for 12",
        ),
      }),
    );
  });

  test("needs no positions for padding", async () => {
    const model = await build("gpt", gpt);
    const row = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2];
    const logits = (tokens: number[], lengths?: number[]) =>
      model.forwardTokens(tf.tensor2d([tokens], undefined, "int32"), { training: false, lengths }).dataSync();
    const whole = logits(row);
    expect(distance(logits([...row, 9, 9], [12]).slice(0, whole.length), whole)).toBeLessThan(1e-6);
  });

  test("drops out what the generator says, in training only", async () => {
    const model = await build("gpt", { ...gpt, dropout: 0.5 });
    const tokens = tf.tensor2d([[1, 2, 3, 4]], undefined, "int32");
    const logits = (training: boolean, seed?: number) =>
      [
        ...model
          .forwardTokens(tokens, { training, ...(seed !== undefined && { random: createRandom(seed) }) })
          .dataSync(),
      ].join();
    expect(logits(true, 1)).toBe(logits(true, 1));
    expect(logits(true, 1)).not.toBe(logits(true, 2));
    expect(logits(true, 1)).not.toBe(logits(false));
    expect(logits(false, 1)).toBe(logits(false));
    expect(() => logits(true)).toThrow(/needs `random` in training/);
  });

  test("keeps nothing beyond the original context where positions are scaled by the row", async () => {
    const model = await build("llama", { ...llama, rope_scaling: { rope_type: "dynamic", factor: 2 } });
    model.createCache(1, 16).dispose();
    expect(() => model.createCache(1, 17)).toThrow(expect.objectContaining({ code: "CAPABILITY_MISSING" }));
  });
});
