import * as tf from "@tensorflow/tfjs-core";
import { afterEach, expect, test } from "vitest";
import { optimizers } from "../../../src/trainers/strategies/index.js";
import { languageStrategies, PerplexityTesting } from "../../../src/trainers/strategies/kit.js";
import { decays } from "../../../src/trainers/strategies/languageStrategies.js";
import { expectClose, expectTensors } from "../../support/cpuTensors.js";
import { tinyConfig } from "../fixtures/tinyConfig.js";
import { contextOf, modelOf } from "../trainerParts.js";

const words = (list: string) => list.trim().split(/\s+/);

// As `Trainer.get_decay_parameter_names` of transformers 5.24 has them.
test("weight decay leaves biases and norms alone, as Hugging Face's Trainer does", () => {
  const alone = words(`
    transformer.h.0.ln_1.weight transformer.h.0.ln_1.bias transformer.h.0.attn.c_attn.bias
    transformer.h.0.attn.c_proj.bias transformer.h.0.ln_2.weight transformer.h.0.mlp.c_fc.bias
    transformer.ln_f.weight transformer.ln_f.bias model.layers.0.input_layernorm.weight
    model.layers.0.post_attention_layernorm.weight model.norm.weight model.layers.0.self_attn.q_norm.weight
    model.layers.0.self_attn.k_norm.weight model.layers.0.self_attn.q_proj.bias`);
  const decayed = words(`
    lm_head.weight transformer.h.0.attn.c_attn.weight transformer.h.0.attn.c_proj.weight
    transformer.h.0.mlp.c_fc.weight transformer.wpe.weight transformer.wte.weight model.embed_tokens.weight
    model.layers.0.mlp.down_proj.weight model.layers.0.self_attn.q_proj.weight`);
  expect(alone.filter(decays)).toEqual([]);
  expect(decayed.filter((name) => !decays(name))).toEqual([]);
});

function configOf(optimizer: string, parameters: Record<string, unknown>) {
  const config = tinyConfig({ trainer: { optimizer, type: "gpt", model_name: "gpt" } });
  return { ...config, parameters: { ...config.parameters, optimizer: parameters } };
}

test("one optimizer step shrinks the weights that decay and no others, at one learning rate", async () => {
  const { optimizer, testing } = await languageStrategies(configOf("AdamW", { lr: 0.1, weight_decay: 0.5 }));
  expect(testing).toBeInstanceOf(PerplexityTesting);
  const made = optimizer.createOptimizer(modelOf(), contextOf());
  expect(made.learningRate).toBe(0.1);
  made.learningRate = 0.2;
  const weight = tf.variable(tf.scalar(1));
  const bias = tf.variable(tf.scalar(1));
  const variables = new Map([
    ["h.weight", weight],
    ["h.bias", bias],
  ]);
  const zero = tf.scalar(0);
  // Of each weight its two moments.
  await expectTensors(4, () =>
    made.step(
      variables,
      new Map([
        ["h.weight", zero],
        ["h.bias", zero],
      ]),
    ),
  );
  expectClose([weight.dataSync()[0]!, bias.dataSync()[0]!], [1 - 0.2 * 0.5, 1]);
  await expectTensors(-4, () => made.dispose());
});

afterEach(() => optimizers.unregister("Mine"));

test("an optimizer that knows no weight decay is used as it is", async () => {
  const mine = { createOptimizer: () => ({ learningRate: 7, step: () => {}, dispose: () => {} }) };
  optimizers.register("Mine", () => mine);
  expect((await languageStrategies(configOf("Mine", {}))).optimizer).toBe(mine);
});
