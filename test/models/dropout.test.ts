import * as tf from "@tensorflow/tfjs-core";
import { describe, expect, test } from "vitest";
import { createRandom } from "../../src/base/index.js";
import { dropoutMask } from "../../src/models/causal/dropoutMask.js";
import { type CausalModel, createModel } from "../../src/models/index.js";
import { expectTensors } from "../support/cpuTensors.js";
import { distance } from "./golden.js";

const mask = (rate: number, keys: [number, number], shape = [200, 300]) => {
  const tensor = dropoutMask(shape, rate, keys);
  const values = tensor.dataSync<"float32">().slice();
  tensor.dispose();
  return values;
};

describe("a mask of dropout", () => {
  test.each([0.1, 0.5, 0.9])(
    "leaves out a share of %d and scales the rest, so that the mean stays",
    (rate) => {
      const values = mask(rate, [12, 34]);
      const kept = values.filter((value) => value !== 0);
      expect([...new Set(kept)]).toEqual([Math.fround(1 / (1 - rate))]);
      // Four standard deviations of a binomial share of 60,000 draws.
      expect(Math.abs(1 - kept.length / values.length - rate)).toBeLessThan(
        4 * Math.sqrt((rate * (1 - rate)) / 60_000),
      );
    },
  );

  test("is that of its keys, and no other's", () => {
    expect(mask(0.5, [1, 2])).toEqual(mask(0.5, [1, 2]));
    for (const other of [
      [1, 3],
      [2, 2],
      [2, 1],
    ] as [number, number][]) {
      const [one, two] = [mask(0.5, [1, 2]), mask(0.5, other)];
      const alike = one.filter((value, place) => value === two[place]).length;
      expect(Math.abs(alike / one.length - 0.5)).toBeLessThan(0.01);
    }
  });

  test("has no pattern along rows or columns", () => {
    const values = mask(0.5, [5, 6]);
    for (const lag of [1, 2, 300, 301]) {
      const alike = values.filter((value, place) => value === values[(place + lag) % values.length]).length;
      expect(Math.abs(alike / values.length - 0.5)).toBeLessThan(0.01);
    }
  });
});

const gpt = { n_layer: 2, n_head: 2, n_embd: 8, block_size: 12 };
const gpt2 = { n_layer: 2, n_head: 2, n_embd: 8, n_positions: 12 };
const llama = {
  max_position_embeddings: 8,
  hidden_size: 12,
  intermediate_size: 8,
  num_hidden_layers: 2,
  num_attention_heads: 2,
};
const rates: [string, string, Record<string, unknown>][] = [
  ["gpt", "dropout", gpt],
  ["gpt2", "embd_pdrop", gpt2],
  ["gpt2", "attn_pdrop", gpt2],
  ["gpt2", "resid_pdrop", gpt2],
  ["llama", "attention_dropout", llama],
  ["qwen2", "attention_dropout", llama],
];

describe.each(rates)("%s with %s", (name, field, sizes) => {
  const others = name === "gpt2" ? { embd_pdrop: 0, attn_pdrop: 0, resid_pdrop: 0 } : {};

  test("is that of its seed in training, and absent elsewhere", async () => {
    const model = await build(name, { ...sizes, ...others, [field]: 0.4 });
    const plain = await build(name, { ...sizes, ...others, [field]: 0 });
    plain.loadWeights(model.weights());
    await expectTensors(0, () => {
      expect(logits(model, 1)).toEqual(logits(model, 1));
      expect(distance(logits(model, 1), logits(model, 2))).toBeGreaterThan(1e-4);
      expect(distance(logits(model, 1), logits(plain, 1))).toBeGreaterThan(1e-4);
      expect(logits(model, undefined)).toEqual(logits(plain, undefined));
      // Without a rate nothing is drawn, and nothing is another.
      expect(logits(plain, 1)).toEqual(logits(plain, undefined));
    });
    expect(() => model.forwardTokens(tf.tensor2d([[1]], undefined, "int32"), { training: true })).toThrow(
      "needs `random` in training",
    );
    for (const made of [model, plain]) made.dispose();
  });
});

test("a random of a pass goes on, so that two steps leave out different numbers", async () => {
  const model = await build("gpt", { ...gpt, dropout: 0.4 });
  const random = createRandom(1);
  const step = () =>
    tf.tidy(() =>
      model
        .forwardTokens(tf.tensor2d([[1, 2, 3]], undefined, "int32"), { training: true, random })
        .dataSync(),
    );
  expect(distance(step(), step())).toBeGreaterThan(1e-4);
  model.dispose();
});

async function build(name: string, parameters: Record<string, unknown>): Promise<CausalModel> {
  return (await createModel(
    { model_name: name },
    { inputShape: [4], classes: 10, parameters, random: createRandom(1) },
  )) as CausalModel;
}

/** @param seed of training; undefined where nothing is trained */
function logits(model: CausalModel, seed: number | undefined): Float32Array {
  return tf.tidy(() => {
    const tokens = tf.tensor2d([[3, 1, 4, 1, 5]], undefined, "int32");
    const options = seed === undefined ? { training: false } : { training: true, random: createRandom(seed) };
    return model.forwardTokens(tokens, options).dataSync<"float32">().slice();
  });
}
