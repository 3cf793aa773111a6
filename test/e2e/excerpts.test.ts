import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { elenchus } from "../support/commandLine.js";
import { columnsOf, rowsOf } from "../support/records.js";
import { smallGptConfig } from "../support/smallGptConfig.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

/* Nothing is in reach but the package itself: no folder of rows, no network, no cache. */
const folder = temporaryFolder("excerpts");
const results = join(folder, "runtime", "results");
const CONFIG = smallGptConfig(
  `
[[evaluation]]
type = "lighteval"
preset = "smollm_round_fast"
max_samples = 4

[[evaluation]]
type = "nanochat_core"
max_per_task = 11
allow_partial = true
`,
  { vocabSize: 400, blockSize: 512 },
);

beforeAll(() => {
  vi.stubEnv("HF_HUB_OFFLINE", "1");
  vi.stubEnv("HF_HUB_CACHE", join(folder, "cache"));
  vi.stubEnv("NANOCHAT_BASE_DIR", join(folder, "nanochat"));
  mkdirSync(join(folder, "runtime"));
  writeFileSync(join(folder, "runtime", "day.txt"), "the sun rises and the sun sets. ".repeat(60));
  writeFileSync(join(folder, "config.toml"), CONFIG);
});
afterAll(() => vi.unstubAllEnvs());

describe("without any rows of one's own", () => {
  it("benchmarks are measured on excerpts, and everything says so", async () => {
    const run = await elenchus(["run", "config.toml", "--run-id", "here"], folder);
    expect(run.status, run.stderr).toBe(0);
    expect(run.stderr).toMatch(
      /warn: \[lighteval\] .*rows of ifeval, hellaswag, arc_easy, arc_challenge, piqa now: .*excerpts.*partial/,
    );
    expect(run.stderr).toMatch(/warn: \[nanochat_core\] .*excerpts .*core_metric_partial/);
    expect(run.stderr).toMatch(/lighteval: ifeval_avg \S+ \(partial\)/);

    const [row] = rowsOf(join(results, "here.csv"));
    expect(row).toMatchObject({
      evaluation_lighteval_status: "partial",
      evaluation_nanochat_core_status: "partial",
    });
    expect(columnsOf(join(results, "here.csv"))).toContain("evaluation_nanochat_core_core_metric_partial");
    const metadata = (name: string) =>
      JSON.parse(readFileSync(join(results, "here", "evaluations", `1-${name}.json`), "utf8")).result
        .metadata;
    expect(metadata("lighteval").runs.arc_easy).toMatchObject({ excerpt: true, documents: 4 });
    expect(metadata("nanochat_core")).toMatchObject({ excerpt: true });
    expect(metadata("nanochat_core").missing).toEqual([
      "jeopardy",
      "copa",
      "commonsense_qa",
      "openbook_qa",
      "agi_eval_lsat_ar",
      "squad",
      "coqa",
    ]);
  }, 120_000);

  it("an excerpt does not pass for CORE", async () => {
    const words = ["--set", "evaluation.type=nanochat_core", "--set", "evaluation.max_per_task=11"];
    writeFileSync(join(folder, "core.toml"), CONFIG.slice(0, CONFIG.indexOf("[[evaluation]]")));
    const check = await elenchus(["check", "core.toml", ...words], folder);
    expect(check.status).toBe(2);
    expect(check.stderr).toMatch(/CORE's bundle is not at .* Or set allow_partial = true: .*excerpts/);
  }, 60_000);

  it("`task show` takes its rows from an excerpt with a word of it, and nothing else on standard output", async () => {
    const shown = await elenchus(["task", "show", "harness:piqa", "--json"], folder);
    expect(shown.stderr).toMatch(/^warn: harness:piqa is shown on an excerpt .*\(partial\)/);
    expect(JSON.parse(shown.stdout)).toMatchObject([{ doc: 0, kind: "loglikelihood" }]);
    const none = await elenchus(["task", "show", "openbookqa"], folder);
    expect(none).toMatchObject({ status: 2, stdout: "", stderr: expect.stringContaining("HUB_NOT_FOUND") });
  }, 60_000);
});
