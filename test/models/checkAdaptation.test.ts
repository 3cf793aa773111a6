import { describe, expect, test } from "vitest";
import { createRandom } from "../../src/base/index.js";
import type { VariableCausalModel } from "../../src/models/causal/variableCausalModel.js";
import { type CausalPlan, causalPlan } from "../../src/models/huggingFace/causalPlan.js";
import { linearLayersOf } from "../../src/models/huggingFace/linearLayersOf.js";
import { checkModel, createModel } from "../../src/models/index.js";
import { drawnValues, emptyValues } from "../../src/models/initialValues.js";
import "../support/cpuTensors.js";

const GPT2 = { n_embd: 8, n_layer: 2, n_head: 2, n_positions: 16, vocab_size: 20 };
const LLAMA = {
  hidden_size: 8,
  intermediate_size: 12,
  num_hidden_layers: 2,
  num_attention_heads: 2,
  num_key_value_heads: 1,
  max_position_embeddings: 16,
  vocab_size: 20,
};
const NANOCHAT = { n_embd: 48, n_layer: 2, n_head: 2, n_kv_head: 1, sequence_len: 16, vocab_size: 20 };
const plans: Record<string, CausalPlan> = Object.fromEntries(
  Object.entries({
    gpt2: GPT2,
    llama: LLAMA,
    mistral: LLAMA,
    qwen2: LLAMA,
    qwen3: { ...LLAMA, head_dim: 4 },
    nanochat: NANOCHAT,
  }).map(([type, config]) => [type, causalPlan({ ...config, model_type: type }, type)]),
);

describe.each(Object.entries(plans))("the names of a %s that is not built", (name, plan) => {
  test("are those of one that is", async () => {
    const model: VariableCausalModel = await plan.build(name, drawnValues(createRandom(1)));
    expect([...plan.weights(emptyValues()).keys()]).toEqual([...model.weights().keys()]);
    const [found, real] = [linearLayersOf(plan), model.linearLayers()];
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(real));
    expect(plan.contextLength).toBe(16);
    model.dispose();
  });
});

describe("before a model is built", () => {
  const trainer = { model_name: "gpt2", model_type: undefined, model_revision: undefined };
  const request = { inputShape: [8], classes: 20, parameters: GPT2 };
  const check = (more: { trainable?: string[]; lora?: object }) =>
    checkModel({ ...trainer, trainable: more.trainable }, { ...request, lora: { ...more.lora } } as never);

  test("it is known how much it reads", async () => {
    expect(await checkModel({ ...trainer, trainable: undefined }, request)).toEqual({
      name: "gpt2",
      contextLength: 16,
    });
  });

  test("adapters for layers that it does not have are found, with their key", async () => {
    await expect(check({ lora: { target_modules: ["c_atn"] } })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringMatching(/found "c_atn".*Did you mean "c_attn"/s),
      details: { path: ["parameters", "lora", "target_modules"] },
    });
    await expect(check({ lora: { target_modules: ["c_attn"] } })).resolves.toBeDefined();
  });

  test("patterns that fit no weight are found, and fit adapters too", async () => {
    await expect(check({ trainable: ["transformer.h.7"] })).rejects.toMatchObject({
      message: expect.stringContaining('"transformer.h.7" fits no weight of gpt2'),
      details: { path: ["trainer", "trainable"] },
    });
    const trainable = ["transformer.h.0.attn.c_attn.lora_A"];
    await expect(check({ trainable, lora: { target_modules: ["c_attn"] } })).resolves.toBeDefined();
    await expect(checkModel({ ...trainer, trainable }, request)).rejects.toThrow(/fits no weight/);
  });

  test("a small model is built to be looked at where that is allowed, and not elsewhere", async () => {
    const digits = { inputShape: [8, 8, 1], classes: 10, parameters: { hidden_sizes: [4] } };
    const named = { ...trainer, model_name: "multilayer", trainable: ["fc9"] };
    await expect(checkModel(named, { ...digits, mayBuild: true })).rejects.toMatchObject({
      message: expect.stringContaining('"fc9" fits no weight of multilayer'),
      details: { path: ["trainer", "trainable"] },
    });
    await expect(checkModel(named, digits)).resolves.toBeUndefined();
    await expect(checkModel({ ...named, trainable: ["fc1"] }, { ...digits, mayBuild: true })).resolves.toBe(
      undefined,
    );
    await expect(createModel(named, { ...digits, random: createRandom(1) })).rejects.toThrow(/fc9/);
  });
});
