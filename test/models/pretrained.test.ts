import { cp, mkdir, mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRandom, silentLogger, systemClock } from "../../src/base/index.js";
import { hubSettings } from "../../src/hub/index.js";
import { type CausalModel, checkModel, createModel } from "../../src/models/index.js";
import { loadPretrained, savePretrained } from "../../src/models/kit.js";
import {
  readSafetensors,
  type WeightArray,
  type Weights,
  writeSafetensors,
} from "../../src/weights/index.js";
import "../support/cpuTensors.js";

const goldens = join(import.meta.dirname, "goldens");
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "elenchus-pretrained-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const request = { inputShape: [4], classes: 0, parameters: {}, random: createRandom(1) };

/** A copy of a golden's folder with other weights. */
async function changed(name: string, change: (weights: Map<string, WeightArray>) => void): Promise<string> {
  const copy = join(folder, `${name}-changed`);
  await cp(join(goldens, name), copy, { recursive: true });
  const { arrays } = await readSafetensors(join(copy, "model.safetensors"));
  const weights = new Map(arrays);
  change(weights);
  await writeSafetensors(join(copy, "model.safetensors"), { arrays: weights, metadata: new Map() });
  return copy;
}

function renamed(weights: Map<string, WeightArray>, prefix: string): void {
  for (const [name, array] of [...weights]) {
    weights.delete(name);
    weights.set(name.startsWith(prefix) ? name.slice(prefix.length) : name, array);
  }
}

const small: WeightArray = { dtype: "float32", shape: [1], data: new Float32Array([1]) };
const sorted = (weights: Weights) => [...weights].sort(([one], [other]) => (one < other ? -1 : 1));

describe("a published model", () => {
  test("is what trainer.model_name names where the model is of the kind huggingface", async () => {
    const trainer = { model_name: join(goldens, "llama"), model_type: "huggingface" };
    const model = (await createModel(trainer, request)) as CausalModel;
    expect(model.vocabularySize).toBe(97);
    expect(model.contextLength).toBe(64);
    const { arrays } = await readSafetensors(join(goldens, "llama", "model.safetensors"));
    expect(sorted(model.weights())).toEqual(sorted(arrays));
  });

  test("is taken from a hub's cache where it is no folder", async () => {
    // As Hugging Face's own clients lay it out.
    const cacheFolder = join(folder, "hub");
    const repository = join(cacheFolder, "models--some--llama");
    const commit = "0123456789abcdef0123456789abcdef01234567";
    await cp(join(goldens, "smollm2-sharded"), join(repository, "snapshots", commit), { recursive: true });
    await mkdir(join(repository, "refs"));
    await writeFile(join(repository, "refs", "v2"), commit);
    const settings = hubSettings({}, { cacheFolder, offline: true });
    const hub = { settings, logger: silentLogger, clock: systemClock };
    const trainer = { model_name: "some/llama", model_type: "huggingface", model_revision: "v2" };
    const model = await createModel(trainer, { ...request, hub });
    expect(model.name).toBe("some/llama");
    expect(model.weights()).toEqual((await loadPretrained(join(goldens, "smollm2-sharded"))).weights());
    await expect(
      createModel({ ...trainer, model_revision: "v3" }, { ...request, hub }),
    ).rejects.toMatchObject({
      code: "HUB_NOT_FOUND",
    });
  });

  test.each(["gpt2", "smollm2-sharded", "qwen3", "nanochat"])(
    "%s is saved in the names and layout in which it was loaded",
    async (name) => {
      const model = await loadPretrained(join(goldens, name), name);
      const saved = await mkdtemp(join(folder, "saved-"));
      await savePretrained(model, saved);
      const config = JSON.parse(await readFile(join(goldens, name, "config.json"), "utf8"));
      delete config.dtype;
      expect(JSON.parse(await readFile(join(saved, "config.json"), "utf8"))).toEqual({
        ...config,
        torch_dtype: "float32",
      });
      const { arrays, metadata } = await readSafetensors(join(saved, "model.safetensors"));
      expect([...metadata]).toEqual([["format", "pt"]]);
      expect(arrays).toEqual(model.weights());
      expect((await loadPretrained(saved)).weights()).toEqual(model.weights());
    },
  );

  test("made from scratch is saved as a GPT-2 that loads again", async () => {
    const parameters = { n_layer: 1, n_head: 1, n_embd: 4, block_size: 6, vocab_size: 5 };
    const model = (await createModel({ model_name: "gpt" }, { ...request, parameters })) as CausalModel;
    const saved = await mkdtemp(join(folder, "saved-"));
    await savePretrained(model, saved);
    expect(JSON.parse(await readFile(join(saved, "config.json"), "utf8"))).toMatchObject({
      model_type: "gpt2",
      n_positions: 6,
    });
    const loaded = await loadPretrained(saved);
    expect(loaded.weights()).toEqual(model.weights());
    expect(loaded.contextLength).toBe(6);
  });

  test.each([
    ["gpt2", "transformer."],
    ["qwen2", "model."],
  ])("%s may lack the prefix of its body, and carry masks and a tied head", async (name, prefix) => {
    const copy = await changed(name, (weights) => {
      renamed(weights, prefix);
      weights.set("h.0.attn.bias", small);
      weights.set("layers.0.self_attn.rotary_emb.inv_freq", small);
      weights.set("lm_head.weight", small);
    });
    const expected = (await loadPretrained(join(goldens, name))).weights();
    expect((await loadPretrained(copy)).weights()).toEqual(expected);
  });

  test("may carry masks in an element type that weights never have", async () => {
    const copy = join(folder, "masked");
    await cp(join(goldens, "gpt2"), copy, { recursive: true });
    const path = join(copy, "model.safetensors");
    const bytes = await readFile(path);
    const data = bytes.subarray(8 + Number(bytes.readBigUInt64LE()));
    const header = JSON.parse(bytes.subarray(8, bytes.length - data.length).toString());
    const mask = { dtype: "BOOL", shape: [1, 1, 2, 2], data_offsets: [data.length, data.length + 4] };
    const json = Buffer.from(JSON.stringify({ ...header, "transformer.h.0.attn.bias": mask }));
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(json.length));
    await writeFile(path, Buffer.concat([length, json, data, Buffer.from([1, 0, 1, 1])]));
    const expected = (await loadPretrained(join(goldens, "gpt2"))).weights();
    expect((await loadPretrained(copy)).weights()).toEqual(expected);
  });

  test.each<[string, (weights: Map<string, WeightArray>) => void, RegExp]>([
    ["lacks one", (weights) => weights.delete("model.norm.weight"), /model.norm.weight is missing/],
    ["has one more", (weights) => weights.set("model.extra", small), /model.extra is unknown/],
    [
      "has one of another shape",
      (weights) => weights.set("model.norm.weight", small),
      /model.norm.weight is \[1\], expected \[32\]/,
    ],
    ["has none of them", (weights) => weights.clear(), / and \d+ more\./],
    [
      "has one of whole numbers",
      (weights) =>
        weights.set("model.norm.weight", { dtype: "int32", shape: [32], data: new Int32Array(32) }),
      /model.norm.weight is int32 \[32\]; expected float32/,
    ],
  ])("whose file %s is refused", async (_, change, message) => {
    await expect(changed("llama", change).then((copy) => loadPretrained(copy))).rejects.toMatchObject({
      code: "WEIGHTS_INVALID",
      message: expect.stringMatching(message),
    });
  });

  test.each<[string, (copy: string) => Promise<void>, RegExp]>([
    [
      "torn weights",
      async (copy) => truncate(join(copy, "model-00001-of-00004.safetensors"), 900),
      /model-00001-of-00004\.safetensors, byte \d+: .* Fetch a published file anew/,
    ],
    [
      "a part that is missing",
      async (copy) => rm(join(copy, "model-00002-of-00004.safetensors")),
      /model-00002-of-00004\.safetensors: the file cannot be opened/,
    ],
  ])("in a folder with %s is found out before it is built", async (_, damage, message) => {
    const copy = await mkdtemp(join(folder, "damaged-"));
    await cp(join(goldens, "smollm2-sharded"), copy, { recursive: true });
    const trainer = { model_name: copy, model_type: "huggingface" };
    await checkModel(trainer, request);
    await damage(copy);
    await expect(checkModel(trainer, request)).rejects.toMatchObject({
      code: "CHECKPOINT_INVALID",
      message: expect.stringMatching(message),
      details: { path: ["trainer", "model_name"] },
    });
  });

  test("needs a folder with a config.json that is an object", async () => {
    await expect(loadPretrained(join(folder, "none"))).rejects.toMatchObject({ code: "INPUT_UNREADABLE" });
    await writeFile(join(folder, "config.json"), "[]");
    await expect(loadPretrained(folder)).rejects.toThrow(/holds no JSON object/);
    await writeFile(join(folder, "config.json"), "{");
    await expect(loadPretrained(folder)).rejects.toThrow(/Expected a folder with config.json/);
  });
});
