import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { createRandom } from "../../src/base/index.js";
import { type CausalModel, createModel } from "../../src/models/index.js";
import { savePretrained } from "../../src/models/kit.js";
import { formatTokenizer, trainBytePairs, writeTokenizer } from "../../src/tokenizers/index.js";
import { FIRST_COMMIT, type HubServer, startHub } from "../hub/fixtures/hubServer.js";
import { elenchus } from "../support/commandLine.js";
import "../support/cpuTensors.js";
import { columnOf, withoutTimes } from "../support/records.js";
import { temporaryFolder } from "../support/temporaryFolder.js";
import { writeChats } from "./chats.js";

/*
 * configs/smollm2.toml as it stands, but for a tiny checkpoint, first from a hub on this machine and then from a
 * folder, and a handful of conversations in the place of those of the hub.
 */
const folder = temporaryFolder("smollm2");
const config = fileURLToPath(new URL("../../configs/smollm2.toml", import.meta.url));
const csv = (runId: string) => join(folder, "runtime", "results", `${runId}.csv`);
const base = join(folder, "tiny");
let hub: HubServer;

const settings = {
  "trainer.model_name": '"tiny/model"',
  "trainer.model_revision": `"${FIRST_COMMIT}"`,
  "trainer.tokenizer_name": '"tiny/model"',
  "trainer.rounds": 2,
  "trainer.epochs": 2,
  "trainer.target_perplexity": 1.01,
  "data.dataset_name": `"${join(folder, "chats")}"`,
  "data.train_split": '"train"',
  "data.validation_split": '"test"',
  "data.partition_size": 16,
  "data.max_seq_length": 48,
  "parameters.optimizer.lr": 0.01,
  "evaluation.data_dir": `"${join(folder, "rows")}"`,
  "evaluation.max_length": 48,
  "evaluation.fail_on_error": true,
};
const set = (changes: object) =>
  Object.entries({ ...settings, ...changes }).flatMap(([key, value]) => ["--set", `${key}=${value}`]);
const run = (runId: string, changes: object = {}) =>
  elenchus(["run", config, "--run-id", runId, ...set(changes)], folder);
const check = (changes: object) => elenchus(["check", config, ...set(changes)], folder);
const fromFolder = { "trainer.model_name": `"${base}"`, "trainer.tokenizer_name": `"${base}"` };

/** One row for each of the benchmarks. */
function writeBenchmarks(): void {
  const rows = {
    "google__IFEval/default/train": {
      key: 1,
      prompt: "Say it.",
      instruction_id_list: ["punctuation:no_comma"],
      kwargs: [{}],
    },
    "Rowan__hellaswag/default/validation": {
      activity_label: "Rain",
      ctx_a: "It pours.",
      ctx_b: "",
      endings: ["run", "sit", "fly", "eat"],
      label: "0",
    },
    ...Object.fromEntries(
      ["ARC-Easy", "ARC-Challenge"].map((config) => [
        `allenai__ai2_arc/${config}/test`,
        { question: "Wet?", choices: { text: ["sea", "sand"], label: ["A", "B"] }, answerKey: "A" },
      ]),
    ),
    "gimmaru__piqa/default/validation": { goal: "Cut", sol1: "knife", sol2: "cup", label: 0 },
  };
  for (const [path, row] of Object.entries(rows)) {
    const file = join(folder, "rows", `${path}.jsonl`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(row));
  }
}

beforeAll(async () => {
  mkdirSync(base);
  writeBenchmarks();
  const lines = writeChats(folder);
  const trained = trainBytePairs(lines, {
    vocabularySize: 300,
    specialTokens: ["<|endoftext|>", "<|im_start|>", "<|im_end|>"],
  });
  const chatTemplate =
    "{% for message in messages %}{{ '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>' }}{% endfor %}";
  await writeTokenizer(base, formatTokenizer(trained, { eos: "<|endoftext|>", chatTemplate }));
  const parameters = {
    vocab_size: 304,
    hidden_size: 24,
    intermediate_size: 32,
    num_hidden_layers: 2,
    num_attention_heads: 3,
    num_key_value_heads: 1,
    max_position_embeddings: 64,
    tie_word_embeddings: true,
  };
  const model = await createModel(
    { model_name: "llama" },
    { inputShape: [48], classes: 304, parameters, random: createRandom(7) },
  );
  await savePretrained(model as CausalModel, base);
  hub = await startHub();
  for (const name of readdirSync(base)) hub.files.set(name, readFileSync(join(base, name)));
  process.env.HF_ENDPOINT = hub.endpoint;
  process.env.HF_HOME = join(folder, "cache");
  const { status, stderr } = await run("hub");
  expect(status, stderr).toBe(0);
}, 120_000);

describe("Plato's SmolLM2 federation", () => {
  it("fine-tunes a model of a hub on what the assistant says, and perplexity falls", () => {
    const [first, second] = columnOf(csv("hub"), "perplexity").map(Number);
    expect(first).toBeLessThan(304);
    expect(second).toBeLessThan(first!);
  });

  it("is asked Plato's benchmarks after every round, as turns of a chat", () => {
    for (const name of ["ifeval_avg", "hellaswag", "arc_easy", "arc_challenge", "arc_avg", "piqa"]) {
      for (const value of columnOf(csv("hub"), `evaluation_${name}`)) {
        expect(value).not.toBe("");
        expect([0, 0.5, 1]).toContain(Number(value));
      }
    }
    const { result } = JSON.parse(
      readFileSync(join(folder, "runtime", "results", "hub", "evaluations", "1-lighteval.json"), "utf8"),
    );
    expect(result.metadata.chat_template).toBe(true);
  });

  it("fetches each file once for all processes", () => {
    const weights = hub.requests.filter(({ path }) => path.endsWith("model.safetensors"));
    expect(weights.length).toBe(1);
  });

  it("does the same with a folder, without a hub", async () => {
    const before = hub.requests.length;
    const { status, stderr } = await run("folder", fromFolder);
    expect(status, stderr).toBe(0);
    expect(hub.requests.length).toBe(before);
    expect(withoutTimes(csv("folder"))).toEqual(withoutTimes(csv("hub")));
  }, 60_000);

  it("says before round 1 what is wrong with a model", async () => {
    const missing = await check({ "trainer.model_name": '"./nowhere"' });
    expect(missing.status).toBe(2);
    expect(missing.stderr).toMatch(/trainer\.model_name = ".\/nowhere": There is no folder .*nowhere/);

    const odd = join(folder, "odd");
    mkdirSync(odd);
    const json = JSON.parse(readFileSync(join(base, "config.json"), "utf8"));
    writeFileSync(join(odd, "config.json"), JSON.stringify({ ...json, num_experts: 4 }));
    const unsupported = await check({ "trainer.model_name": `"${odd}"` });
    expect(unsupported.status).toBe(2);
    expect(unsupported.stderr).toMatch(/trainer\.model_name.*num_experts = 4 is not supported/);

    writeFileSync(join(odd, "config.json"), JSON.stringify({ ...json, vocab_size: 256 }));
    const small = await check({ "trainer.model_name": `"${odd}"` });
    expect(small.status).toBe(2);
    expect(small.stderr).toMatch(/vocabulary = 256, but the data has 300 tokens.*trainer\.tokenizer_name/);

    writeFileSync(join(odd, "config.json"), JSON.stringify(json));
    const weightless = await check({ "trainer.model_name": `"${odd}"` });
    expect(weightless.status).toBe(2);
    expect(weightless.stderr).toMatch(/has no model\.safetensors/);
  }, 60_000);
});
