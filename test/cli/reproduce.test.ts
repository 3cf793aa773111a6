import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandHere } from "../support/commandHere.js";
import { elenchus, startNode } from "../support/commandLine.js";
import { smallConfig } from "../support/smallConfig.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

const folder = temporaryFolder("reproduce");
const results = join(folder, "runtime", "results");
const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
/** An evaluator of the user's own, in a program that also starts a run. */
write(
  "own.mjs",
  `
import { registry, Evaluator, EvaluationResult, run } from "elenchus";
class Bytes extends Evaluator {
  evaluate({ localMetric }) {
    const metrics = { twice: 2 * localMetric, took: performance.now() };
    return new EvaluationResult({ evaluator: "bytes", primaryMetric: "twice", metrics });
  }
}
Bytes.metrics = { took: { higherIsBetter: false, unit: "ms" } };
registry.register("bytes", Bytes);
await run("own.toml", { runId: "first", seed: 7 });
`,
);
write("own.toml", smallConfig('\n[evaluation]\ntype = "bytes"\nfail_on_error = true', { rounds: 3 }));
mkdirSync(join(folder, "node_modules"));
const manifestOf = (runId: string) => join(results, runId, "run.json");

describe("reproduce", () => {
  it("runs a program's run again and finds it equal; what was changed since, it finds", {
    timeout: 240_000,
  }, async () => {
    symlinkSync(join(import.meta.dirname, "../.."), join(folder, "node_modules", "elenchus"));
    const first = await startNode(["own.mjs"], folder).finished;
    expect(first.status, first.stderr).toBe(0);
    const manifest = JSON.parse(readFileSync(manifestOf("first"), "utf8"));
    expect(manifest.imports).toEqual([join(folder, "own.mjs")]);

    const equal = await elenchus(["reproduce", "first", "--import", "own.mjs"], folder);
    expect(equal.status, equal.stderr).toBe(0);
    expect(equal.stdout).toContain("run first: reproduced, equal in 3 rounds, 5 columns");
    expect(equal.stdout).toContain("(not compared: elapsed_time, evaluation_took)");

    // A run that was stopped after its second round, and a cell that somebody changed.
    const csv = join(results, "first.csv");
    const [head, one, two] = readFileSync(csv, "utf8").split("\n");
    const [round, accuracy, ...rest] = two!.split(",");
    writeFileSync(csv, `${[head, one, [round, "0.5", ...rest].join(",")].join("\n")}\n`);
    writeFileSync(manifestOf("first"), JSON.stringify({ ...manifest, status: "interrupted" }));
    // From another working folder, and kept.
    const words = ["reproduce", csv, "--import", join(folder, "own.mjs"), "--run-id", "again", "--json"];
    const other = await elenchus(words, join(folder, "node_modules"));
    expect(other.status, other.stderr).toBe(1);
    expect(JSON.parse(other.stdout)).toEqual({
      equal: false,
      differences: [{ round: 2, column: "accuracy", recorded: 0.5, reproduced: Number(accuracy) }],
    });
    expect(existsSync(join(results, "again.csv"))).toBe(true);

    const without = await commandHere("reproduce", csv);
    expect(without.status).toBe(2);
    expect(without.stderr).toContain(`The run loaded ${join(folder, "own.mjs")}: name it with --import`);
  });

  const recorded = (runId: string, manifest: object | null) => {
    mkdirSync(join(results, runId), { recursive: true });
    writeFileSync(join(results, `${runId}.csv`), "round,accuracy\n1,0.5\n");
    if (manifest === null) return;
    const whole = {
      schema: 1,
      run_id: runId,
      name: runId,
      status: "completed",
      start: "",
      end: "",
      error: null,
    };
    const rest = {
      parent: null,
      seeds: {},
      versions: {},
      backend: "cpu",
      host: {},
      first_round: 1,
      columns: {},
    };
    writeFileSync(manifestOf(runId), JSON.stringify({ ...whole, ...rest, config: null, ...manifest }));
  };
  const config = {
    general: { base_path: folder },
    clients: { total_clients: 1, per_round: 1 },
    server: {},
    data: {
      datasource: "CSV",
      sampler: "iid",
      partition_size: 5,
      data_path: "gone",
      train_path: "gone.csv",
      label: "y",
    },
    trainer: {
      type: "basic",
      model_name: "multilayer",
      rounds: 1,
      epochs: 1,
      batch_size: 5,
      optimizer: "SGD",
    },
    algorithm: { type: "fedavg" },
    results: {},
  };
  const parent = { run_id: "another", round: 4, weights_sha256: "00" };

  it.each([
    ["bare", null, "run.json is missing, which says what it was"],
    ["loop", { config: { evaluation: {} } }, "another program made it"],
    ["branch", { config, parent }, 'it began from round 4 of the run "another"'],
    ["data", { config }, "gone.csv"],
    [
      "backend",
      { config: { ...config, trainer: { ...config.trainer, backend: "abacus" } }, backend: null },
      "abacus",
    ],
    ["unknown", { config: { ...config, algorithm: { type: "mine" } } }, "with --import FILE"],
  ])("says why it cannot: %s", async (runId, manifest, words) => {
    recorded(runId, manifest);
    const { status, stderr } = await commandHere("reproduce", runId, "--base", join(folder, "runtime"));
    expect(status).toBe(2);
    expect(stderr).toContain(words);
    expect(stderr).not.toMatch(/^ +at /m);
  });

  it("has nothing to compare where there are no rows yet", async () => {
    recorded("empty", { config });
    writeFileSync(join(results, "empty.csv"), "round,accuracy\n");
    const { status, stderr } = await commandHere("reproduce", "empty", "--base", join(folder, "runtime"));
    expect([status, stderr.slice(0, 31)]).toEqual([2, "error [REPRODUCTION_IMPOSSIBLE]"]);
  });
});
