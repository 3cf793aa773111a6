import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as tf from "@tensorflow/tfjs-core";
import { beforeAll, describe, expect, it } from "vitest";
import { createRandom } from "../../src/base/index.js";
import { type CausalModel, createModel } from "../../src/models/index.js";
import { loadAdapter, loadPretrained, savePretrained } from "../../src/models/kit.js";
import { formatTokenizer, trainBytePairs, writeTokenizer } from "../../src/tokenizers/index.js";
import { encodeWeights, readSafetensors } from "../../src/weights/index.js";
import { runProgram } from "../examples/programs.js";
import { distance } from "../models/golden.js";
import { elenchus } from "../support/commandLine.js";
import "../support/cpuTensors.js";
import { columnOf, withoutTimes } from "../support/records.js";
import { temporaryFolder } from "../support/temporaryFolder.js";
import { writeChats } from "./chats.js";

/*
 * configs/smollm2-lora.toml as it stands, but for a tiny checkpoint and a handful of conversations in the place of
 * those of the hub, and fewer rounds.
 */
const folder = temporaryFolder("smollm2-lora");
const config = fileURLToPath(new URL("../../configs/smollm2-lora.toml", import.meta.url));
const base = join(folder, "tiny");
const results = join(folder, "runtime", "results");
const csv = (runId: string) => join(results, `${runId}.csv`);
const checkpoint = (runId: string, round: number) =>
  join(folder, "runtime", "checkpoints", runId, `checkpoint_${round}.safetensors`);

const settings = {
  "trainer.model_name": `"${base}"`,
  "trainer.tokenizer_name": `"${base}"`,
  "trainer.rounds": 3,
  "trainer.epochs": 2,
  "data.dataset_name": `"${join(folder, "chats")}"`,
  "data.train_split": '"train"',
  "data.validation_split": '"test"',
  "data.partition_size": 16,
  "data.max_seq_length": 48,
  "parameters.optimizer.lr": 0.02,
};
const set = (values: object) =>
  Object.entries(values).flatMap(([key, value]) => ["--set", `${key}=${value}`]);
const run = (runId: string, changes: object = {}, ...words: string[]) =>
  elenchus(["run", config, "--run-id", runId, ...set({ ...settings, ...changes }), ...words], folder);

beforeAll(async () => {
  mkdirSync(base);
  const lines = writeChats(folder);
  const specialTokens = ["<|bos|>", "<|eos|>", "<|im_start|>", "<|im_end|>"];
  const trained = trainBytePairs(lines, { vocabularySize: 300, specialTokens });
  await writeTokenizer(base, formatTokenizer(trained, { bos: "<|bos|>", eos: "<|eos|>" }));
  const parameters = {
    vocab_size: 304,
    hidden_size: 24,
    intermediate_size: 32,
    num_hidden_layers: 2,
    num_attention_heads: 3,
    num_key_value_heads: 1,
    max_position_embeddings: 64,
    tie_word_embeddings: true,
    initializer_range: 0.2,
  };
  const model = await createModel(
    { model_name: "llama" },
    { inputShape: [48], classes: 304, parameters, random: createRandom(7) },
  );
  await savePretrained(model as CausalModel, base);

  const runs = await Promise.all([run("whole"), run("resumed", { "trainer.rounds": 2 })]);
  for (const { status, stderr } of runs) expect(status, stderr).toBe(0);
}, 120_000);

describe("a federation of adapters", () => {
  it("lowers perplexity", () => {
    const perplexity = columnOf(csv("whole"), "perplexity").map(Number);
    expect(perplexity).toHaveLength(3);
    expect(perplexity[1]).toBeLessThan(perplexity[0]!);
    expect(perplexity[2]).toBeLessThan(perplexity[1]!);
  });

  it("sends adapters alone, either way", async () => {
    const { arrays } = await readSafetensors(checkpoint("whole", 3));
    const weights = new Map([...arrays].filter(([name]) => name !== "__elenchus__"));
    // Of two layers q_proj [24, 24] and v_proj [8, 24], each with A [8, 24] and B [24 or 8, 8]; and 32 bytes.
    const numbers = 2 * (8 * (24 + 24) + 8 * (24 + 8));
    const bytes = [...weights.values()].reduce((sum, { data }) => sum + data.byteLength, 0);
    expect(bytes).toBe(4 * numbers + 32);
    expect([...weights.keys()].every((name) => /\.lora_[AB]\.weight$|^frozen\.sha256$/.test(name))).toBe(
      true,
    );
    const payload = encodeWeights(weights).reduce((sum, part) => sum + part.byteLength, 0);
    const sent = columnOf(csv("whole"), "comm_overhead").map((cell) => Number(cell) * 2 ** 20);
    // To two clients and back, in every round.
    expect(sent).toEqual([4 * payload, 8 * payload, 12 * payload]);
  });

  it("goes on from a checkpoint as if nothing had happened", async () => {
    const resumed = await run("resumed", {}, "--resume");
    expect(resumed.status, resumed.stderr).toBe(0);
    expect(withoutTimes(csv("resumed"))).toEqual(withoutTimes(csv("whole")));
    const other = await run("resumed", { "parameters.lora.r": 4, "trainer.rounds": 4 }, "--resume");
    expect(other.status).toBe(2);
    expect(other.stderr).toMatch(/RESUME_REFUSED.*parameters\.lora\.r was 8 and is 4/);
  }, 120_000);

  it("is evaluated from a checkpoint, on the base that it was trained on alone", async () => {
    const evaluator = join(folder, "adapters.mjs");
    writeFileSync(
      evaluator,
      `import { registry } from "${fileURLToPath(new URL("../../dist/index.js", import.meta.url))}";
      registry.register("adapters", () => ({
        evaluate: ({ model }) => {
          const b = [...model.weights()].filter(([name]) => name.includes("lora_B"));
          const largest = Math.max(...b.flatMap(([, { data }]) => [...data].map(Math.abs)));
          return { evaluator: "adapters", primaryMetric: "largest", metrics: { largest } };
        },
      }));`,
    );
    const evaluate = (changes: object) =>
      elenchus(
        [
          ...["evaluate", config, "--checkpoint", checkpoint("whole", 3), "--import", evaluator, "--json"],
          ...set({ ...settings, "evaluation.type": '"adapters"', ...changes }),
        ],
        folder,
      );
    const [good, more] = await Promise.all([
      evaluate({}),
      evaluate({ "trainer.trainable": '["*.lora_A", "*.lora_B", "model.norm"]' }),
    ]);
    expect(good.status, good.stderr).toBe(0);
    expect(JSON.parse(good.stdout).results.adapters.largest).toBeGreaterThan(0.01);
    expect(more.status).toBe(2);
    expect(more.stderr).toMatch(/CHECKPOINT_INVALID.*does not fit the configured model/);
  }, 120_000);

  it("is saved merged, and as peft saves adapters, by the program that the examples have", async () => {
    const out = join(folder, "out");
    await runProgram("examples/merge-adapters.ts", {
      cwd: folder,
      arguments: [join(results, "whole", "run.json"), checkpoint("whole", 3), out],
    });
    const merged = await loadPretrained(join(out, "merged"));
    const adapted = await loadPretrained(base);
    await loadAdapter(adapted, join(out, "adapter"));
    const plain = await loadPretrained(base);
    const logits = (model: CausalModel) =>
      model.forwardTokens(tf.tensor2d([[5, 6, 7, 8, 9]], undefined, "int32"), { training: false }).dataSync();
    expect(distance(logits(merged), logits(adapted))).toBeLessThan(1e-5);
    expect(distance(logits(merged), logits(plain))).toBeGreaterThan(0.01);
    expect(JSON.parse(readFileSync(join(out, "adapter", "adapter_config.json"), "utf8"))).toMatchObject({
      base_model_name_or_path: base,
      r: 8,
      lora_alpha: 16,
      target_modules: ["q_proj", "v_proj"],
    });
  }, 60_000);
});

it("adapters of layers that the model does not have end the run before its first round", async () => {
  const { status, stderr } = await run("mistaken", { "parameters.lora.target_modules": '["c_attn"]' });
  expect(status).toBe(2);
  expect(stderr).toMatch(
    /error \[CONFIG_INVALID\]: .+\[parameters.lora\]: target_modules fits no linear layer/,
  );
}, 60_000);
