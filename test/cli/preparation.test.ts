import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { elenchus } from "../support/commandLine.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

const folder = temporaryFolder("preparation");
const module = fileURLToPath(new URL("./fixtures/faultyEvaluations.mjs", import.meta.url));
mkdirSync(join(folder, "runtime"));
writeFileSync(join(folder, "runtime", "day.txt"), "the sun rises and the sun sets. ".repeat(60));

const toml = (rest: string, trainable = "") => `[clients]
total_clients = 1
per_round = 1
[server]
port = 0
[data]
datasource = "text"
train_path = "day.txt"
data_path = "."
sampler = "iid"
vocab_size = 280
max_seq_length = 32
[trainer]
type = "gpt"
model_name = "gpt"
rounds = 1
epochs = 1
batch_size = 4
optimizer = "AdamW"
${trainable}
[parameters.model]
n_layer = 1
n_head = 2
n_embd = 8
block_size = 32
[parameters.optimizer]
lr = 0.02
[algorithm]
type = "fedavg"
${rest}`;
const MODEL = "reads 32 tokens at once";
const EVALUATORS = `[[evaluation]]
type = "lighteval"
tasks = ["arc_easy"]
max_length = 64
[[evaluation]]
type = "evaluations"
evaluations = ["unread"]
[[evaluation]]
type = "lighteval"
name = "elsewhere"
tasks = ["arc_easy"]
data_dir = "no/such/rows"
`;

it.each([
  [
    "evaluators",
    toml(EVALUATORS),
    [
      new RegExp(`^bad.toml:33: evaluation\\[0\\].max_length = 64: .*${MODEL}`, "m"),
      /^bad.toml:36: evaluation\[1\].evaluations = \["unread"\]: .*load\(\).*"unread" failed: no rows\.csv/m,
      /^bad.toml:41: evaluation\[2\].data_dir = "no\/such\/rows": .*finds no rows for its split test/m,
    ],
  ],
  [
    "the data",
    toml("").replace('"day.txt"', '"night.txt"'),
    [/^bad.toml:8: data.train_path = "night.txt": /m],
  ],
  [
    "the model",
    toml('[parameters.lora]\ntarget_modules = ["c_atn"]'),
    [/^bad.toml:31: parameters.lora.target_modules = \["c_atn"\]: .*Did you mean "c_attn"\?/m],
  ],
  [
    "its weights",
    toml("", 'trainable = "transformer.j"'),
    [/^bad.toml:20: trainer.trainable = "transformer.j": .*fits no weight of gpt/m],
  ],
])(
  "run says the same as check of faults of %s, with file, line, key and value",
  async (kind, text, lines) => {
    const own = join(folder, kind);
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, "bad.toml"), text);
    const words = ["bad.toml", "--import", module, "--base", join(folder, "runtime"), "--log", "warn"];
    const [checked, ran] = await Promise.all([
      elenchus(["check", ...words], own),
      elenchus(["run", ...words], own),
    ]);
    expect([checked.status, ran.status], checked.stderr + ran.stderr).toEqual([2, 2]);
    const found = (stderr: string) => stderr.replace(/^error \[\w+\]: (The configuration has .*:\n)?/, "");
    expect(found(ran.stderr)).toBe(found(checked.stderr));
    for (const line of lines) expect(found(ran.stderr)).toMatch(line);
  },
  120_000,
);
