import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRandom } from "../../src/base/index.js";
import { adaptModel, createModel } from "../../src/models/index.js";
import { loadAdapter, loadPretrained, saveAdapter } from "../../src/models/kit.js";
import { readSafetensors, type WeightArray, writeSafetensors } from "../../src/weights/index.js";
import "../support/cpuTensors.js";

const goldens = join(import.meta.dirname, "goldens");
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "elenchus-adapters-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Loads a golden's adapter with another configuration or other arrays. */
async function loadChanged(
  fields: object,
  change: (arrays: Map<string, WeightArray>) => void = () => {},
): Promise<void> {
  const copy = await mkdtemp(join(folder, "changed-"));
  await cp(join(goldens, "lora-llama"), copy, { recursive: true });
  const config = JSON.parse(await readFile(join(copy, "adapter_config.json"), "utf8"));
  await writeFile(join(copy, "adapter_config.json"), JSON.stringify({ ...config, ...fields }));
  const { arrays } = await readSafetensors(join(copy, "adapter_model.safetensors"));
  const changed = new Map(arrays);
  change(changed);
  await writeSafetensors(join(copy, "adapter_model.safetensors"), { arrays: changed, metadata: new Map() });
  const model = await loadPretrained(join(goldens, "llama"), "llama");
  await loadAdapter(model, copy);
}

const A = "base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight";

describe("adapter_config.json", () => {
  test.each<[string, unknown]>([
    ["use_dora", true],
    ["modules_to_save", ["lm_head"]],
    ["layer_replication", [[0, 2]]],
    ["lora_bias", true],
    ["bias", "all"],
    ["alora_invocation_tokens", [1, 2]],
    ["trainable_token_indices", [3]],
    ["target_parameters", ["experts.up_proj"]],
    ["init_lora_weights", "pissa"],
    ["peft_type", "LOHA"],
    ["task_type", "SEQ_CLS"],
    ["something_new", 1],
  ])("with %s, which changes what is computed, is refused by that name", async (field, value) => {
    await expect(loadChanged({ [field]: value })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining(`${field} = ${JSON.stringify(value)}`),
    });
  });

  test("may say what changes nothing", async () => {
    const same = { fan_in_fan_out: true, revision: "main", inference_mode: false, auto_mapping: { a: 1 } };
    await loadChanged({ ...same, init_lora_weights: false, layers_to_transform: [], exclude_modules: null });
  });

  test("is read, or what is wrong with it is said", async () => {
    const model = await loadPretrained(join(goldens, "llama"), "llama");
    await expect(loadAdapter(model, folder)).rejects.toMatchObject({
      code: "INPUT_UNREADABLE",
      message: expect.stringContaining("Expected an adapter as peft saves it"),
    });
    await expect(loadChanged({ r: 0 })).rejects.toThrow(/r = 0/);
    await expect(loadChanged({ target_modules: "(" })).rejects.toThrow(/regular expression/);
    await expect(loadChanged({ layers_pattern: "layers" })).rejects.toThrow(/layers_to_transform beside it/);
    await expect(loadChanged({ target_modules: ".*q_proj", layers_to_transform: 1 })).rejects.toThrow(
      /target_modules as a list/,
    );
  });
});

describe("adapter_model.safetensors", () => {
  const small: WeightArray = { dtype: "float32", shape: [1], data: Float32Array.of(1) };

  test.each<[string, object, (arrays: Map<string, WeightArray>) => void, RegExp]>([
    [
      "lacks an array",
      {},
      (arrays) => arrays.delete(A),
      /layers.0.self_attn.q_proj.lora_A.weight is missing/,
    ],
    [
      "has one of another shape",
      {},
      (arrays) => arrays.set(A, small),
      /is float32 \[1\], expected float32 \[4,32\]/,
    ],
    [
      "has another rank than the configuration",
      { r: 2 },
      () => {},
      /is float32 \[4,32\], expected float32 \[2,32\]/,
    ],
    [
      "has one of whole numbers",
      {},
      (arrays) => arrays.set(A, { dtype: "int32", shape: [4, 32], data: new Int32Array(128) }),
      /is int32 \[4,32\]/,
    ],
    [
      "has one for a layer that has none",
      {},
      (arrays) => arrays.set("base_model.model.lm_head.lora_A.weight", small),
      /base_model.model.lm_head.lora_A.weight is unknown/,
    ],
    ["has nothing that fits", { target_modules: ["c_attn"] }, (arrays) => arrays.clear(), /there are none/],
  ])("that %s is refused", async (_, fields, change, message) => {
    await expect(loadChanged(fields, change)).rejects.toMatchObject({
      code: "WEIGHTS_INVALID",
      message: expect.stringMatching(message),
    });
  });

  test("that is missing is refused", async () => {
    const copy = await mkdtemp(join(folder, "bare-"));
    await cp(join(goldens, "lora-llama", "adapter_config.json"), join(copy, "adapter_config.json"));
    const model = await loadPretrained(join(goldens, "llama"), "llama");
    await expect(loadAdapter(model, copy)).rejects.toMatchObject({ code: "CHECKPOINT_INVALID" });
  });
});

describe("saving adapters", () => {
  const request = {
    inputShape: [4],
    classes: 9,
    parameters: { n_layer: 1, n_embd: 8 },
    random: createRandom(1),
  };

  test("needs some, and nothing trained beside them", async () => {
    const plain = await createModel({ model_name: "gpt" }, request);
    await expect(saveAdapter(plain as never, folder)).rejects.toMatchObject({
      code: "CAPABILITY_MISSING",
      message: expect.stringContaining("it has none"),
    });
    const trainable = ["*.lora_*", "transformer.ln_f"];
    const more = await createModel({ model_name: "gpt", trainable }, { ...request, lora: {} });
    await expect(saveAdapter(more as never, folder)).rejects.toThrow(/it trains transformer.ln_f.weight/);
  });

  test("says outright which layers have them, and of which base", async () => {
    const all = await createModel(
      { model_name: "gpt" },
      { ...request, lora: { target_modules: "all-linear", r: 2 } },
    );
    const saved = await mkdtemp(join(folder, "saved-"));
    await saveAdapter(all as never, saved, "some/base");
    expect(JSON.parse(await readFile(join(saved, "adapter_config.json"), "utf8"))).toMatchObject({
      peft_type: "LORA",
      task_type: "CAUSAL_LM",
      base_model_name_or_path: "some/base",
      r: 2,
      target_modules: ["attn.c_attn", "attn.c_proj", "mlp.c_fc", "mlp.c_proj"].map(
        (name) => `transformer.h.0.${name}`,
      ),
    });
  });

  test("leaves a model that was adapted already as it is", async () => {
    const model = await loadPretrained(join(goldens, "llama"), "llama");
    await loadAdapter(model, join(goldens, "lora-llama"));
    const before = model.weights();
    await adaptModel(model, { lora: { r: 16 }, random: createRandom(2) });
    expect(model.weights()).toEqual(before);
    await expect(loadAdapter(model, join(goldens, "lora-llama"))).rejects.toThrow(/has adapters already/);
  });
});
