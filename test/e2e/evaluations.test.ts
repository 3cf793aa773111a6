import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { elenchus } from "../support/commandLine.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

const folder = temporaryFolder("evaluations");
const module = fileURLToPath(new URL("./fixtures/examined.ts", import.meta.url));
const linesOf = (path: string) => readFileSync(path, "utf8").trimEnd().split("\n");
const toml = (evaluation: string) => `
[clients]
total_clients = 2
per_round = 1
[server]
port = 0
[data]
datasource = "nanochat"
sampler = "iid"
max_seq_length = 96
partition_size = 3
train_rows = 6
test_rows = 3
[trainer]
type = "examined"
tokenizer_name = "byte"
model_name = "gpt2"
rounds = 1
epochs = 1
batch_size = 3
optimizer = "AdamW"
[parameters.model]
vocab_size = 280
n_positions = 96
n_embd = 12
n_layer = 1
n_head = 2
[parameters.optimizer]
lr = 0.01
[algorithm]
type = "fedavg"
${evaluation}`;

it("a trainer's evaluations are columns of its run, and a saved model gives the same", {
  timeout: 300_000,
}, async () => {
  writeFileSync(join(folder, "own.toml"), toml(`[evaluation]\ntype = "language_model"`));
  const words = ["--import", module, "--json"];
  const ran = await elenchus(["run", "own.toml", "--run-id", "own", ...words], folder);
  expect(ran).toMatchObject({ status: 0 });
  const { last_row } = JSON.parse(ran.stdout);
  expect(last_row).toMatchObject({
    evaluation_language_model_status: "ok",
    evaluation_evaluations_status: "ok",
  });
  // The evaluator reads the test set as the trainer's own test does.
  expect(last_row.evaluation_perplexity).toBeCloseTo(last_row.accuracy, 3);
  expect(last_row.evaluation_evaluations_facts_ppl).toBeGreaterThan(1);
  expect(last_row.evaluation_evaluations_facts_ppl_truncated).toBe(0);

  writeFileSync(
    join(folder, "again.toml"),
    toml(
      `[evaluation]\ntype = "evaluations"\nevaluations = ["facts_ppl"]\nworkers = 2\nbatch_size = 2\nlog_samples = true`,
    ),
  );
  const checkpoint = "runtime/checkpoints/own/checkpoint_1.safetensors";
  const again = await elenchus(
    ["evaluate", "again.toml", "--checkpoint", checkpoint, "--run-id", "again", ...words],
    folder,
  );
  expect(again).toMatchObject({ status: 0 });
  const path = join(folder, "runtime/results/general/default/again/results.json");
  const document = JSON.parse(readFileSync(path, "utf8"));
  expect(JSON.parse(again.stdout)).toEqual(document);
  expect(document).toMatchObject({ job: "again", project: "general", group: "default" });
  expect(Object.keys(document.results.evaluations)).toEqual(["facts_ppl"]);
  expect(document.results.evaluations.facts_ppl).toBeCloseTo(last_row.evaluation_evaluations_facts_ppl, 3);
  // Rows of both processes, in their order, and what both were answered.
  const results = join(folder, "runtime/results/general/default");
  const samples = linesOf(join(results, "again/samples/1-evaluations-facts_ppl.jsonl"));
  expect(samples.map((line) => JSON.parse(line).doc)).toEqual([...samples.keys()]);
  expect(samples.length).toBeGreaterThan(2);
  const [kept] = readdirSync(join(results, ".answers"));
  expect(linesOf(join(results, ".answers", kept!))).toHaveLength(samples.length);
});
