import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as tf from "@tensorflow/tfjs-core";
import { beforeAll, describe, expect, it } from "vitest";
import type { CausalModel } from "../../src/models/index.js";
import { loadPretrained } from "../../src/models/kit.js";
import { loadTokenizer, type Tokenizer } from "../../src/tokenizers/index.js";
import { elenchus } from "../support/commandLine.js";
import "../support/cpuTensors.js";
import { columnsOf, rowsOf } from "../support/records.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

/*
 * A tiny model is trained on questions whose answer is A, and asked Plato's preset after each of two rounds, on rows of a
 * folder. What the record says is compared with what the saved weights say when they are asked one request after the
 * other, token by token, by the few lines below.
 */
const folder = temporaryFolder("benchmarks");
const base = join(folder, "runtime");
const csv = join(base, "results", "asked.csv");
const CONTEXT = 160;
const CONFIG = `
[clients]
total_clients = 2
per_round = 2

[server]
port = 0

[data]
datasource = "text"
train_path = ["one.txt", "two.txt"]
data_path = "."
sampler = "natural"
vocab_size = 300
max_seq_length = ${CONTEXT}

[trainer]
type = "gpt"
model_name = "gpt"
rounds = 2
epochs = 8
batch_size = 1
optimizer = "AdamW"

[parameters.model]
n_layer = 1
n_head = 2
n_embd = 16
block_size = ${CONTEXT}
dropout = 0.0

[parameters.optimizer]
lr = 0.02

[algorithm]
type = "fedavg"

[evaluation]
type = "lighteval"
preset = "smollm_round_fast"
data_dir = "rows"
log_samples = true

[results]
types = "round, accuracy"
`;

const arc = (question: string, text: string[], answerKey: string) => ({
  id: question,
  question,
  choices: { text, label: ["A", "B", "C", "1"].slice(0, text.length) },
  answerKey,
});
const ARC = {
  "ARC-Easy": [
    arc("What shines by day?", ["the moon", "the sun", "a stone"], "B"),
    arc("What is wet?", ["the sea", "sand", "dust"], "A"),
    arc("What do bees make?", ["milk", "wool", "honey", "iron"], "C"),
  ],
  "ARC-Challenge": [
    arc("What has roots?", ["a tree", "a fish"], "A"),
    arc("What falls?", ["the sky", "rain"], "B"),
  ],
};
const SCENES = ["0", "2", "0"].map((label, row) => ({
  activity_label: "Rain",
  ctx_a: `It pours (${row}).`,
  ctx_b: "people",
  endings: ["run", "sit", "fly", "eat"],
  label,
}));
const GOALS = [0, 1].map((label) => ({ goal: `Cut ${label} rope`, sol1: "a knife", sol2: "a cup", label }));
const PROMPTS = [
  { key: 1, prompt: "Say it.", instruction_id_list: ["punctuation:no_comma"], kwargs: [{}] },
  {
    key: 2,
    prompt: "Say more.",
    instruction_id_list: ["keywords:existence"],
    kwargs: [{ keywords: ["answer"] }],
  },
];

const rows = (path: string, list: readonly object[]) => {
  const file = join(folder, "rows", path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, list.map((row) => JSON.stringify(row)).join("\n"));
};
const command = (...words: string[]) => elenchus([...words, "--base", "runtime"], folder);

beforeAll(async () => {
  mkdirSync(base, { recursive: true });
  const text = (things: readonly string[]) =>
    Array.from({ length: 160 }, (_, row) => `Here is ${things[row % 3]}.\nAnswer: A\n`).join("");
  writeFileSync(join(base, "one.txt"), text(["rain", "the sun", "the sea"]));
  writeFileSync(join(base, "two.txt"), text(["a tree", "honey", "a knife"]));
  writeFileSync(join(folder, "asked.toml"), CONFIG);
  rows("google__IFEval/default/train.jsonl", PROMPTS);
  rows("Rowan__hellaswag/default/validation.jsonl", SCENES);
  for (const [config, list] of Object.entries(ARC)) rows(`allenai__ai2_arc/${config}/test.jsonl`, list);
  rows("gimmaru__piqa/default/validation.jsonl", GOALS);
  const { status, stderr } = await command("run", "asked.toml", "--run-id", "asked");
  expect(status, stderr).toBe(0);
}, 120_000);

describe("Plato's preset after every round", () => {
  it("fills Plato's columns in its order, and the details behind them", () => {
    const columns = columnsOf(csv);
    const summary = ["ifeval_avg", "hellaswag", "arc_easy", "arc_challenge", "arc_avg", "piqa"];
    expect(columns.slice(0, 10)).toEqual([
      "round",
      "accuracy",
      "evaluation_primary_value",
      "evaluation_status",
      ...summary.map((name) => `evaluation_${name}`),
    ]);
    const means = ["hellaswag_em", "arc_easy_acc", "arc_challenge_acc", "piqa_em", "arc_avg_acc"];
    const levels = ["prompt", "inst"].flatMap((level) =>
      ["strict", "loose"].map((way) => `ifeval_${level}_level_${way}_acc`),
    );
    for (const name of [...means, ...levels]) {
      expect(columns).toContain(`evaluation_${name}`);
      expect(columns).toContain(`evaluation_${name}_stderr`);
    }
    for (const row of rowsOf(csv)) {
      expect(row.evaluation_status).toBe("ok");
      expect(row.evaluation_primary_value).toBe(row.evaluation_ifeval_avg);
    }
  });

  it.each([1, 2])(
    "says of round %i what the weights say that are asked by hand",
    async (round) => {
      const out = join(folder, `out-${round}`);
      const checkpoint = join(base, "checkpoints", "asked", `checkpoint_${round}.safetensors`);
      const exported = await command("export", "asked.toml", "--checkpoint", checkpoint, "--output", out);
      expect(exported.status, exported.stderr).toBe(0);
      const model = (await loadPretrained(out)) as CausalModel;
      const tokenizer = await loadTokenizer(out);
      const row = rowsOf(csv).find((one) => one.round === String(round))!;

      const share = (right: readonly boolean[]) => right.filter(Boolean).length / right.length;
      const arcShare = (list: (typeof ARC)["ARC-Easy"]) =>
        share(
          list.map(({ question, choices, answerKey }) => {
            const scores = choices.text.map((choice) =>
              logLikelihood(model, tokenizer, `Question: ${question}\nAnswer:`, ` ${choice}`),
            );
            return scores.indexOf(Math.max(...scores)) === choices.label.indexOf(answerKey);
          }),
        );
      const easy = arcShare(ARC["ARC-Easy"]);
      const challenge = arcShare(ARC["ARC-Challenge"]);
      expect(Number(row.evaluation_arc_easy)).toBeCloseTo(easy, 12);
      expect(Number(row.evaluation_arc_challenge)).toBeCloseTo(challenge, 12);
      expect(Number(row.evaluation_arc_avg)).toBeCloseTo((easy + challenge) / 2, 12);
      expect(Number(row.evaluation_arc_easy_acc_stderr)).toBeCloseTo(Math.sqrt((easy * (1 - easy)) / 2), 12);

      const intro = "The following are multiple choice questions (with answers) about common sense.";
      const letters = (prompt: string) => firstLetter(model, tokenizer, prompt);
      const scenes = SCENES.map(({ ctx_a, endings, label }) => {
        const choices = endings.map((ending, place) => `${"ABCD"[place]}. ${ending}\n`).join("");
        const prompt = `${intro}\n\n\n\nQuestion: Rain: ${ctx_a} People\n${choices}Answer:`;
        return letters(prompt) === "ABCD"[Number(label)];
      });
      expect(Number(row.evaluation_hellaswag)).toBeCloseTo(share(scenes), 12);
      const goals = GOALS.map(({ goal, sol1, sol2, label }) => {
        const prompt = `${intro}\n\n\nQuestion: ${goal}\nA. ${sol1}\nB. ${sol2}\nAnswer:`;
        return letters(prompt) === "AB"[label];
      });
      expect(Number(row.evaluation_piqa)).toBeCloseTo(share(goals), 12);

      const samples = samplesOf(round, "ifeval");
      const verdicts = samples.map(({ doc, answers: [answer] }) => {
        const begun = greedy(model, tokenizer, `\n\n${PROMPTS[doc]!.prompt}`, 8);
        expect(answer!.text.startsWith(begun.replace(/�+$/, ""))).toBe(true);
        return doc === 0
          ? answer!.text.trim() !== "" && !answer!.text.includes(",")
          : /answer/i.test(answer!.text);
      });
      expect(Number(row.evaluation_ifeval_prompt_level_strict_acc)).toBeCloseTo(share(verdicts), 12);
      model.dispose();
    },
    60_000,
  );

  it("learns to write an A, which the letters show", () => {
    const [, second] = rowsOf(csv);
    expect(Number(second!.evaluation_hellaswag)).toBeCloseTo(2 / 3, 12);
    expect(Number(second!.evaluation_piqa)).toBe(1 / 2);
  });

  it("keeps what was asked, document by document", () => {
    const samples = samplesOf(2, "arc_easy");
    expect(samples.map(({ doc }) => doc).sort()).toEqual([0, 1, 2]);
    const sun = samples.find(({ doc }) => doc === 0)!;
    expect(sun).toMatchObject({
      gold: 1,
      requests: [
        {
          prompts: ["Question: What shines by day?\nAnswer:"],
          continuations: [" the moon", " the sun", " a stone"],
        },
      ],
    });
    expect(sun.answers).toHaveLength(3);
  });
});

describe("before round 1", () => {
  it("rows that are nowhere, and a trainer without language, are errors", async () => {
    const nowhere = await command("check", "asked.toml", "--set", "evaluation.data_dir=nowhere");
    expect(nowhere.status).toBe(2);
    expect(nowhere.stderr).toContain(join("nowhere", "gimmaru__piqa", "default", "validation"));
    expect(nowhere.stderr).toContain(join("nowhere", "google__IFEval", "default", "train"));
    const run = await command("run", "asked.toml", "--set", "evaluation.data_dir=nowhere", "--run-id", "not");
    expect(run).toMatchObject({ status: 2, stderr: expect.stringContaining("EVALUATION_CONFIG") });
    const basic = ["trainer.type=basic", "trainer.model_name=multilayer", "data.datasource=digits"];
    const lingual = await command("check", "asked.toml", ...basic.flatMap((one) => ["--set", one]));
    expect(lingual.status).toBe(2);
    expect(lingual.stderr).toMatch(/"lighteval" needs a language model/);
  }, 60_000);
});

it("a saved model can be asked too", async () => {
  const again = await command(
    ...["evaluate", "asked.toml", "--checkpoint", join(base, "checkpoints", "asked"), "--json"],
    ...["--set", "evaluation.max_samples=1", "--run-id", "again"],
  );
  expect(again.status, again.stderr).toBe(0);
  expect(Object.keys(JSON.parse(again.stdout).results.lighteval)).toContain("arc_avg");
  const lines = readFileSync(
    join(base, "results", "general", "default", "again", "samples", "2-lighteval-piqa.jsonl"),
    "utf8",
  );
  expect(lines.trim().split("\n")).toHaveLength(1);
}, 60_000);

interface Sample {
  doc: number;
  gold: number;
  requests: object[];
  answers: { text: string }[];
}

function samplesOf(round: number, task: string): Sample[] {
  const file = join(base, "results", "asked", "samples", `${round}-lighteval-${task}.jsonl`);
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line));
}

/** Log probabilities of the token behind each place. */
function logits(model: CausalModel, ids: readonly number[]): number[][] {
  return tf.tidy(() => {
    const all = model.forwardTokens(tf.tensor2d([[...ids]], [1, ids.length], "int32"), { training: false });
    const rows = tf.reshape(all, [ids.length, model.vocabularySize]);
    return tf.logSoftmax(rows).arraySync() as number[][];
  });
}

function logLikelihood(
  model: CausalModel,
  tokenizer: Tokenizer,
  context: string,
  continuation: string,
): number {
  const before = tokenizer.encode(context, { addSpecialTokens: true });
  const behind = tokenizer.encode(continuation);
  const found = logits(model, [...before, ...behind]);
  return behind.reduce((sum, token, place) => sum + found[before.length - 1 + place]![token]!, 0);
}

/** So many tokens, the likeliest each time. */
function greedy(model: CausalModel, tokenizer: Tokenizer, prompt: string, count: number): string {
  // One token is generated behind a prompt that has lost what finds no room.
  const ids = tokenizer.encode(prompt, { addSpecialTokens: true }).slice(-(CONTEXT - 1));
  const start = ids.length;
  for (let made = 0; made < count; made++) {
    const last = logits(model, ids).at(-1)!;
    const next = last.indexOf(Math.max(...last));
    if (next === tokenizer.special.eos) break;
    ids.push(next);
  }
  return tokenizer.decode(ids.slice(start));
}

/** What is left of one token until the line ends, without white space. */
function firstLetter(model: CausalModel, tokenizer: Tokenizer, prompt: string): string {
  return greedy(model, tokenizer, prompt, 1).split("\n")[0]!.trim();
}
