import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { elenchus } from "../support/commandLine.js";
import { rowsOf } from "../support/records.js";
import { smallGptConfig } from "../support/smallGptConfig.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

/* A GPT of a thousand weights answers a release of four rows, after its round and then from its checkpoint. */
const folder = temporaryFolder("mixeval-run");
const CONFIG = smallGptConfig(
  `
[evaluation]
type = "mixeval"
data_dir = "rows"
parser = "rule"
max_new_tokens = 4
log_samples = true
`,
  { trainer: 'language_engine = "tensorflow"' },
);
const FREE = {
  problem_type: "free-form",
  context: null,
  prompt: "Who?",
  target: ["x"],
  benchmark_name: "DROP",
};
const CHOICE = {
  ...{ problem_type: "single-choice", context: null, prompt: "Which?" },
  ...{ options: ["one", "two"], target: [0], benchmark_name: "ARC" },
};

describe("MixEval in a federation", () => {
  it("is a column of the run, and its checkpoint answers a release from the command line", async () => {
    mkdirSync(join(folder, "runtime"));
    writeFileSync(join(folder, "runtime", "day.txt"), "the sun rises and the sun sets. ".repeat(60));
    writeFileSync(join(folder, "config.toml"), CONFIG);
    for (const name of ["mixeval", "mixeval-hard"]) {
      const place = join(folder, "rows", "mixeval-2024-08-11", name);
      mkdirSync(place, { recursive: true });
      writeFileSync(join(place, "free-form.json"), JSON.stringify({ 0: FREE, 3: FREE }));
      writeFileSync(join(place, "multiple-choice.json"), JSON.stringify({ 0: CHOICE }));
    }
    const run = await elenchus(["run", "config.toml", "--run-id", "q", "--log", "warn"], folder);
    expect(run.status, run.stderr).toBe(0);
    const results = join(folder, "runtime", "results");
    const [row] = rowsOf(join(results, "q.csv"));
    expect(row).toMatchObject({ evaluation_status: "ok" });
    for (const name of ["mixeval", "mixeval_hard", "mixeval_drop", "mixeval_hard_arc", "mixeval_stderr"]) {
      expect(row![`evaluation_${name}`], name).toMatch(/^[\d.]+$/);
    }
    expect(readdirSync(join(results, "q", "samples")).sort()).toEqual([
      "1-mixeval-mixeval.jsonl",
      "1-mixeval-mixeval_hard.jsonl",
    ]);

    const words = ["mixeval", "generate", "--model", "q@1", "--data", "rows", "--output-dir", "answers"];
    const made = await elenchus([...words, "--max-new-tokens", "4", "--json", "--log", "warn"], folder);
    expect(made.status, made.stderr).toBe(0);
    expect(JSON.parse(made.stdout)).toMatchObject({ rows: 6, answered: 6, calls: 2 });
    const file = join(folder, "answers", "q@1", "mixeval", "2024-08-11", "q@1_close_freeform.jsonl");
    const [first] = readFileSync(file, "utf8").split("\n");
    expect(JSON.parse(first!)).toMatchObject({
      id: "0",
      formated_input: expect.stringMatching(/^Question: The volume/),
    });
  }, 180_000);
});
