import { describe, expect, test } from "vitest";
import { causalPlan } from "../../src/models/huggingFace/causalPlan.js";
import { gpt2Shape } from "../../src/models/huggingFace/gpt2Config.js";
import { llamaShape } from "../../src/models/huggingFace/llamaConfig.js";
import { nanochatShape } from "../../src/models/huggingFace/nanochatConfig.js";

/** As published, with all that has no effect. */
const SMOLLM2 = {
  architectures: ["LlamaForCausalLM"],
  attention_bias: false,
  attention_dropout: 0.0,
  bos_token_id: 0,
  eos_token_id: 0,
  hidden_act: "silu",
  hidden_size: 576,
  initializer_range: 0.041666666666666664,
  intermediate_size: 1536,
  is_llama_config: true,
  max_position_embeddings: 8192,
  model_type: "llama",
  num_attention_heads: 9,
  num_hidden_layers: 30,
  num_key_value_heads: 3,
  pretraining_tp: 1,
  rms_norm_eps: 1e-5,
  rope_interleaved: false,
  rope_scaling: null,
  rope_theta: 100000,
  tie_word_embeddings: true,
  torch_dtype: "bfloat16",
  transformers_version: "4.40.1",
  use_cache: true,
  vocab_size: 49152,
};
const QWEN2 = {
  architectures: ["Qwen2ForCausalLM"],
  attention_dropout: 0.0,
  bos_token_id: 151643,
  eos_token_id: 151643,
  hidden_act: "silu",
  hidden_size: 896,
  initializer_range: 0.02,
  intermediate_size: 4864,
  max_position_embeddings: 32768,
  max_window_layers: 24,
  model_type: "qwen2",
  num_attention_heads: 14,
  num_hidden_layers: 24,
  num_key_value_heads: 2,
  rms_norm_eps: 1e-6,
  rope_theta: 1000000.0,
  sliding_window: 32768,
  tie_word_embeddings: true,
  torch_dtype: "bfloat16",
  use_cache: true,
  use_mrope: false,
  use_sliding_window: false,
  vocab_size: 151936,
};
const MISTRAL = {
  architectures: ["MistralForCausalLM"],
  hidden_act: "silu",
  hidden_size: 4096,
  intermediate_size: 14336,
  max_position_embeddings: 32768,
  model_type: "mistral",
  num_attention_heads: 32,
  num_hidden_layers: 4,
  num_key_value_heads: 8,
  rms_norm_eps: 1e-5,
  rope_theta: 10000.0,
  sliding_window: 4096,
  tie_word_embeddings: false,
  vocab_size: 32000,
};
const GPT2 = {
  activation_function: "gelu_new",
  architectures: ["GPT2LMHeadModel"],
  attn_pdrop: 0.1,
  embd_pdrop: 0.1,
  initializer_range: 0.02,
  layer_norm_epsilon: 1e-5,
  model_type: "gpt2",
  n_ctx: 1024,
  n_embd: 768,
  n_head: 12,
  n_layer: 12,
  n_positions: 1024,
  resid_pdrop: 0.1,
  summary_activation: null,
  summary_first_dropout: 0.1,
  summary_proj_to_labels: true,
  summary_type: "cls_index",
  summary_use_proj: true,
  task_specific_params: { "text-generation": { do_sample: true, max_length: 50 } },
  vocab_size: 50257,
};
const ALL = Number.POSITIVE_INFINITY;

describe("a published config.json", () => {
  test("of SmolLM2 is understood", () => {
    expect(llamaShape("llama", SMOLLM2, "config.json")).toMatchObject({
      width: 576,
      heads: 9,
      keyHeads: 3,
      headSize: 64,
      normEpsilon: 1e-5,
      rotary: { size: 64, base: 100_000, scaling: { type: "default" } },
      biases: { queriesKeysValues: false, output: false, dense: false },
      queryKeyNorm: false,
      windows: new Array(30).fill(ALL),
      tied: true,
    });
  });

  test("of Llama 3.2 is understood with its scaling", () => {
    const scaling = {
      factor: 32.0,
      high_freq_factor: 4.0,
      low_freq_factor: 1.0,
      original_max_position_embeddings: 8192,
      rope_type: "llama3",
    };
    const shape = llamaShape(
      "llama",
      { ...SMOLLM2, rope_theta: 500_000, rope_scaling: scaling },
      "config.json",
    );
    expect(shape.rotary).toEqual({
      size: 64,
      base: 500_000,
      scaling: {
        type: "llama3",
        factor: 32,
        lowFrequencyFactor: 1,
        highFrequencyFactor: 4,
        originalContext: 8192,
      },
    });
  });

  test("of Qwen2.5 is understood: biases where its class has them, windows that are switched off", () => {
    expect(llamaShape("qwen2", QWEN2, "config.json")).toMatchObject({
      headSize: 64,
      biases: { queriesKeysValues: true, output: false, dense: false },
      windows: new Array(24).fill(ALL),
      rotary: { base: 1_000_000 },
    });
    const sliding = { ...QWEN2, use_sliding_window: true, max_window_layers: 22 };
    expect(llamaShape("qwen2", sliding, "config.json").windows.slice(20)).toEqual([ALL, ALL, 32768, 32768]);
  });

  test("of Qwen3 has heads of 128 numbers and norms of queries and keys", () => {
    const { use_mrope: _, ...fields } = QWEN2;
    const shape = llamaShape("qwen3", { ...fields, attention_bias: false }, "config.json");
    expect(shape).toMatchObject({ headSize: 128, queryKeyNorm: true, biases: { queriesKeysValues: false } });
  });

  test("of Mistral has a window in every layer, or none", () => {
    expect(llamaShape("mistral", MISTRAL, "config.json").windows).toEqual([4096, 4096, 4096, 4096]);
    expect(llamaShape("mistral", { ...MISTRAL, sliding_window: null }, "config.json").windows).toEqual([
      ALL,
      ALL,
      ALL,
      ALL,
    ]);
  });

  test("of GPT-2 is understood", () => {
    expect(gpt2Shape(GPT2, "config.json")).toEqual({
      vocabularySize: 50257,
      contextLength: 1024,
      width: 768,
      layers: 12,
      heads: 12,
      innerWidth: 3072,
      activation: "gelu_new",
      normEpsilon: 1e-5,
      dropout: { embedding: 0.1, attention: 0.1, residual: 0.1 },
      scaleScores: true,
      scaleByLayer: false,
      tied: true,
      deviation: 0.02,
    });
  });

  test("may write its rotary fields the old way, with `type`, and take yarn's defaults", () => {
    const { scaling } = llamaShape(
      "llama",
      { ...SMOLLM2, rope_scaling: { type: "yarn", factor: 4 } },
      "config.json",
    ).rotary;
    expect(scaling).toEqual({
      type: "yarn",
      factor: 4,
      betaFast: 32,
      betaSlow: 1,
      attentionFactor: 0.1 * Math.log(4) + 1,
      truncate: true,
      originalContext: 8192,
    });
  });
});

describe("a config.json that this would compute wrongly", () => {
  test.each<[string, object, RegExp]>([
    [
      "quantised weights",
      { ...SMOLLM2, quantization_config: { bits: 4 } },
      /quantization_config = \{"bits":4\} is not supported/,
    ],
    [
      "capped scores",
      { ...SMOLLM2, attn_logit_softcapping: 50 },
      /attn_logit_softcapping = 50 is not supported/,
    ],
    ["another activation", { ...SMOLLM2, hidden_act: "mish" }, /hidden_act = "mish"/],
    ["interleaved pairs", { ...SMOLLM2, rope_interleaved: true }, /rope_interleaved = true/],
    [
      "another scaling",
      { ...SMOLLM2, rope_scaling: { rope_type: "longrope" } },
      /rope_scaling.rope_type = "longrope": not supported; expected default, linear, dynamic, llama3 or yarn/,
    ],
    [
      "half-turned heads",
      { ...SMOLLM2, rope_parameters: { rope_type: "default", partial_rotary_factor: 0.5 } },
      /rope_parameters.partial_rotary_factor/,
    ],
    [
      "unknown scaling fields",
      { ...SMOLLM2, rope_scaling: { rope_type: "linear", factor: 2, shift: 1 } },
      /unknown key "rope_scaling.shift"/,
    ],
    [
      "heads that do not divide",
      { ...SMOLLM2, num_key_value_heads: 2 },
      /num_key_value_heads = 2 does not divide num_attention_heads = 9/,
    ],
    ["odd heads", { ...SMOLLM2, head_dim: 63 }, /a head has 63 numbers/],
    ["a size that is missing", { ...SMOLLM2, hidden_size: undefined }, /hidden_size/],
    ["two faults", { ...SMOLLM2, vocab_size: 0, foo: 1 }, /vocab_size = 0.*foo = 1/],
    [
      "layers of another number",
      { ...QWEN2, layer_types: ["full_attention"] },
      /layer_types has 1 entries, num_hidden_layers = 24/,
    ],
    ["a field of its class that is on", { ...QWEN2, use_mrope: true }, /use_mrope = true is not supported/],
    [
      "an encoder to look at",
      { ...GPT2, add_cross_attention: true },
      /add_cross_attention = true is not supported/,
    ],
    ["heads that do not divide GPT-2", { ...GPT2, n_head: 7 }, /n_head = 7 does not divide n_embd = 768/],
    [
      "no head that predicts",
      { ...SMOLLM2, architectures: ["LlamaForSequenceClassification"] },
      /no head that predicts tokens/,
    ],
  ])("is refused: %s", (_, config, message) => {
    expect(() => causalPlan(config, "config.json")).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID", message: expect.stringMatching(message) }),
    );
  });

  test.each([
    [{ n_embd: 30, n_head: 4 }, /expected an even whole number/],
    [{ n_embd: 48, n_head: 4, n_kv_head: 3 }, /n_kv_head = 3 does not divide n_head = 4/],
    [{ window_pattern: "SX" }, /window_pattern = "SX"/],
  ])("is refused for nanochat: %j", (config, message) => {
    expect(() => nanochatShape(config, "here")).toThrow(message);
  });

  test.each(["gemma", undefined, "__proto__"])("is refused for the model type %j", (model_type) => {
    expect(() => causalPlan({ ...SMOLLM2, model_type }, "config.json")).toThrow(
      expect.objectContaining({ code: "NAME_UNKNOWN" }),
    );
  });
});
