import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { textFiles } from "../../src/data/text/textFiles.js";
import { loadPretrained } from "../../src/models/kit.js";
import { loadTokenizer } from "../../src/tokenizers/index.js";
import { PerplexityTesting } from "../../src/trainers/strategies/kit.js";
import { elenchus } from "../support/commandLine.js";
import "../support/cpuTensors.js";
import { columnOf, rowsOf, withoutTimes } from "../support/records.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

/*
 * Two clients, each with a file of text, train a GPT of two thousand weights: with dropout, accumulation, clipping and
 * a schedule over all rounds, so that whatever is not drawn or gathered alike shows in the record.
 */
const folder = temporaryFolder("language");
const results = join(folder, "runtime", "results");
const csv = (runId: string) => join(results, `${runId}.csv`);
const CONFIG = `
[clients]
total_clients = 2
per_round = 2

[server]
port = 0

[data]
datasource = "text"
train_path = ["day.txt", "night.txt"]
data_path = "."
sampler = "natural"
vocab_size = 280
max_seq_length = 16
testset_size = 8

[trainer]
type = "gpt"
model_name = "gpt"
rounds = 3
epochs = 1
batch_size = 2
gradient_accumulation_steps = 2
gradient_checkpointing = true
clip_grad_norm = 1.0
optimizer = "AdamW"
lr_scheduler = "cosine"
global_lr_scheduler = true

[parameters.model]
n_layer = 1
n_head = 2
n_embd = 16
block_size = 16
dropout = 0.1

[parameters.optimizer]
lr = 0.02
weight_decay = 0.1

[parameters.learning_rate]
warmup_steps = 2

[algorithm]
type = "fedavg"

[evaluation]
type = "peek"

[results]
types = "round, accuracy, perplexity, train_loss, elapsed_time"
`;
const PEEK = `
import { registry } from "${fileURLToPath(new URL("../../dist/index.js", import.meta.url))}";
registry.register("peek", () => ({
  evaluate({ tokenizer, model, localMetric }) {
    const tokens = tokenizer.encode("the sun rises").length;
    const nothing = [...model.weights()].map(([name, array]) => [name, { ...array, data: array.data.map(() => 0) }]);
    model.loadWeights(new Map(nothing));
    return { evaluator: "peek", primaryMetric: "tokens", metrics: { tokens, seen: localMetric } };
  },
}));
`;

const run = (runId: string, set: readonly string[] = [], ...words: string[]) =>
  elenchus(
    [
      ...["run", "tiny.toml", "--base", "runtime", "--run-id", runId, "--import", "peek.mjs"],
      ...set.flatMap((one) => ["--set", one]),
      ...words,
    ],
    folder,
  );
const finish = async (...given: Parameters<typeof run>) => {
  const { status, stderr } = await run(...given);
  expect(status, stderr).toBe(0);
};

beforeAll(async () => {
  mkdirSync(join(folder, "runtime"), { recursive: true });
  const sentence = (row: number, light: string, act: string) => `Line ${row}: the ${light} ${act} again. `;
  const text = (light: string, act: string) =>
    Array.from({ length: 40 }, (_, row) => sentence(row, light, act)).join("");
  writeFileSync(join(folder, "runtime", "day.txt"), text("sun", "rises"));
  writeFileSync(join(folder, "runtime", "night.txt"), text("moon", "shines"));
  writeFileSync(join(folder, "tiny.toml"), CONFIG);
  writeFileSync(join(folder, "peek.mjs"), PEEK);
  await finish("whole");
}, 120_000);

describe("a federation that trains a language model", () => {
  it("lowers perplexity in every round, from the size of the vocabulary down", () => {
    const rows = rowsOf(csv("whole"));
    const perplexity = rows.map((row) => Number(row.perplexity));
    expect(perplexity).toHaveLength(3);
    expect(perplexity[0]).toBeLessThan(280);
    expect(perplexity[1]).toBeLessThan(perplexity[0]!);
    expect(perplexity[2]).toBeLessThan(perplexity[1]!);
    expect(rows.map(({ accuracy }) => accuracy)).toEqual(rows.map(({ perplexity: value }) => value));
    // A mean over tokens: below what a model costs that knows nothing.
    for (const { train_loss } of rows) expect(Number(train_loss)).toBeLessThan(Math.log(280));
  });

  it("hands evaluators the tokenizer, and a model that they cannot harm", () => {
    const rows = rowsOf(csv("whole"));
    expect(rows.map((row) => row.evaluation_status)).toEqual(["ok", "ok", "ok"]);
    for (const row of rows) {
      expect(Number(row.evaluation_tokens)).toBeGreaterThan(1);
      expect(row.evaluation_seen).toBe(row.perplexity);
    }
  });

  it("leaves the same record to the bit in worker processes, and another one with another seed", async () => {
    await finish("two-workers", ["trainer.max_concurrency=2"]);
    expect(withoutTimes(csv("two-workers"))).toEqual(withoutTimes(csv("whole")));
    await finish("other", ["trainer.rounds=1"], "--seed", "2");
    expect(columnOf(csv("other"), "perplexity")[0]).not.toBe(columnOf(csv("whole"), "perplexity")[0]);
  }, 240_000);

  it("ends at its target, which stays reached", async () => {
    const [, second] = columnOf(csv("whole"), "perplexity");
    const { status, stderr, stdout } = await run("target", [
      `trainer.target_perplexity=${Number(second) + 0.01}`,
    ]);
    expect(status, stderr).toBe(0);
    expect(stdout).toMatch(/trainer\.target_perplexity \S+ reached: perplexity/);
    expect(withoutTimes(csv("target"))).toEqual(withoutTimes(csv("whole")).slice(0, 3));
  }, 60_000);

  it("writes what it has learnt as others load it", async () => {
    const out = join(folder, "out");
    const checkpoints = join(folder, "runtime", "checkpoints", "whole");
    const { status, stderr, stdout } = await elenchus(
      [
        ...["export", "tiny.toml", "--base", "runtime", "--import", "peek.mjs"],
        ...["--checkpoint", checkpoints, "--output", out, "--json"],
      ],
      folder,
    );
    expect(status, stderr).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      folder: out,
      files: ["config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"],
      run_id: "whole",
      round: 3,
    });
    expect(JSON.parse(readFileSync(join(out, "config.json"), "utf8"))).toMatchObject({
      model_type: "gpt2",
      vocab_size: 280,
      n_positions: 16,
    });
    const model = await loadPretrained(out);
    expect((await loadTokenizer(out)).vocabularySize).toBe(280);
    const { testset } = await textFiles({
      options: { train_path: ["day.txt", "night.txt"], vocab_size: 280, max_seq_length: 16 },
      dataPath: join(folder, "runtime"),
    });
    const { testSubset } = await import("../../src/data/index.js");
    const indices = testSubset({ testset_size: 8, random_seed: 1 }, testset);
    const value = await new PerplexityTesting().testModel(model, {}, testset, indices);
    expect(value).toBeCloseTo(Number(columnOf(csv("whole"), "perplexity").at(-1)), 2);
    model.dispose();
  }, 60_000);
});
