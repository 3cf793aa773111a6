import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { elenchus, type Finished } from "../support/commandLine.js";
import { columnOf, columnsOf, rowsOf } from "../support/records.js";
import { smallConfig } from "../support/smallConfig.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

const folder = temporaryFolder("run");
const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
write(
  "measured.toml",
  smallConfig(`
[evaluation]
type = "classification"
`),
);
const checkpoints = join("b", "checkpoints", "here");
const results = join(folder, "b", "results");

let plain: Finished;
let json: Finished;
beforeAll(async () => {
  [plain, json] = await Promise.all([
    // Options before the command and after it.
    elenchus(["--base", "b", "--log", "warn", "run", "measured.toml", "--run-id", "here"], folder),
    elenchus(["--json", "--seed", "5", "run", "measured.toml", "--set", "trainer.rounds=1"], folder),
  ]);
  expect([plain.status, json.status], plain.stderr + json.stderr).toEqual([0, 0]);
}, 120_000);

describe("run", () => {
  it("ends with the CSV's path and its last row, and with --log warn says no more", () => {
    expect(plain.stderr).toBe("");
    expect(plain.stdout).toContain("run here: completed after 2 rounds");
    expect(plain.stdout).toContain(`csv: ${join(results, "here.csv")}`);
    const last = rowsOf(join(results, "here.csv"))[1]!;
    expect(plain.stdout).toMatch(/^round +2$/m);
    expect(plain.stdout).toContain(Number(Number(last.accuracy).toPrecision(6)).toString());
  });

  it("prints one document with --json and nothing else on standard output", () => {
    const document = JSON.parse(json.stdout);
    expect(Object.keys(document)).toEqual(["run_id", "status", "rounds", "csv", "last_row"]);
    expect(document).toMatchObject({ status: "completed", rounds: 1 });
    expect(document.run_id).toMatch(/^measured-\d{8}T\d{6}Z$/);
    expect(document.csv).toBe(join(folder, "runtime", "results", `${document.run_id}.csv`));
    const [row] = rowsOf(document.csv);
    expect(Object.keys(document.last_row)).toEqual(columnsOf(document.csv));
    for (const [column, value] of Object.entries(document.last_row)) {
      // To the bit, as numbers; what is empty is null.
      expect(value === null ? "" : String(value)).toBe(row![column]);
    }
    expect(document.last_row.evaluation_status).toBe("ok");
  });

  it("prints plain lines where there is no terminal", () => {
    expect(json.stderr).toMatch(/^ +round +accuracy +seconds +evaluation$/m);
    expect(json.stderr).toMatch(/^ +1\/1 +0\.\d{4} +\d+\.\d +classification: accuracy 0\.\d+$/m);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence is what must not be there
    expect(json.stderr).not.toMatch(/\x1b/);
  });

  it("writes down what it was", () => {
    const manifest = JSON.parse(readFileSync(join(results, "here", "run.json"), "utf8"));
    expect(manifest).toMatchObject({
      run_id: "here",
      name: "measured",
      status: "completed",
      seeds: { clients: 1, server: 1, data: 1, trainer: 1 },
      backend: expect.stringMatching(/^(wasm|cpu|node|node-gpu)$/),
      config: { general: { base_path: "b" }, trainer: { rounds: 2 } },
    });
    expect(manifest.config.server).not.toHaveProperty("token");
    const text = readFileSync(join(results, "here.csv"), "utf8");
    expect(text).not.toContain("\r");
    expect(text.endsWith("\n")).toBe(true);
  });

  it.each([
    [["--run-id", "../out"], "USAGE"],
    [["--run-id", "a_accuracy"], "USAGE"],
    [["--set", "server.port=1", "--set", "server.address=192.0.2.1"], "PORT_UNAVAILABLE"],
    [["--base", "measured.toml/x"], "CONFIG_INVALID"],
    [["--set", "evaluation.type=nowhere"], "CONFIG_INVALID"],
  ])("does not begin with %j", async (words, code) => {
    const { status, stdout, stderr } = await elenchus(["run", "measured.toml", "--json", ...words], folder);
    expect(status).toBe(2);
    expect(stderr).toContain(`error [${code}]: `);
    expect(JSON.parse(stdout).error.code).toBe(code);
    expect(existsSync(join(folder, "out.csv"))).toBe(false);
  });
});

describe("results", () => {
  const shown = (...words: string[]) => elenchus(["results", ...words], folder);

  it("shows a run by its id, its folder or its CSV", async () => {
    const byId = await shown("here", "--base", "b");
    expect([byId.status, byId.stderr]).toEqual([0, ""]);
    expect(byId.stdout).toMatch(/^here \(completed\)$/m);
    expect(byId.stdout).toMatch(/^ +2 +0\.\d+/m);
    for (const place of [join("b", "results", "here"), join("b", "results", "here.csv")]) {
      expect((await shown(place)).stdout).toBe(byId.stdout);
    }
  });

  it("gives every row as numbers with --json, for several runs", async () => {
    const { run_id: other } = JSON.parse(json.stdout);
    const { stdout } = await shown(join("b", "results", "here"), other, "--json");
    const [first, second] = JSON.parse(stdout);
    expect(first.run_id).toBe("here");
    expect(first.rows.map(({ round }: { round: number }) => round)).toEqual([1, 2]);
    expect(first.rows.map((row: object) => String((row as { accuracy: number }).accuracy))).toEqual(
      columnOf(join(results, "here.csv"), "accuracy"),
    );
    expect(second).toMatchObject({ run_id: other, rows: [JSON.parse(json.stdout).last_row] });
  });

  it("shows one metric with --metric, by its column or by its name", async () => {
    const byName = await shown("here", "--base", "b", "--metric", "log_loss");
    expect(byName.stdout.split("\n")[1]!.trim().split(/ +/)).toEqual(["round", "evaluation_log_loss"]);
    const byColumn = await shown("here", "--base", "b", "--metric", "evaluation_log_loss");
    expect(byColumn.stdout).toBe(byName.stdout);
    const { stdout } = await shown("here", "--base", "b", "--metric", "log_loss", "--json");
    expect(Object.keys(JSON.parse(stdout)[0].rows[0])).toEqual(["round", "evaluation_log_loss"]);
  });

  it.each([
    [["hero"], "RUN_NOT_FOUND", 'Did you mean "here"?'],
    [["here", "--metric", "log_los"], "NAME_UNKNOWN", "log_loss"],
  ])("names what is near to what is not there: %j", async (words, code, near) => {
    const { status, stderr } = await shown(...words, "--base", "b");
    expect(status).toBe(2);
    expect(stderr).toMatch(new RegExp(`^error \\[${code}\\]`));
    expect(stderr).toContain(near);
  });
});

describe("evaluate --checkpoint", () => {
  const evaluate = (...words: string[]) => elenchus(["evaluate", "measured.toml", ...words], folder);

  it("gives what the run recorded of that round, in the files of a job of its own", async () => {
    const words = ["--checkpoint", join(checkpoints, "checkpoint_1.safetensors"), "--run-id", "again"];
    const { status, stdout, stderr } = await evaluate(...words, "--json", "--set", "general.group=g");
    expect(status, stderr).toBe(0);
    const document = JSON.parse(stdout);
    expect(document).toMatchObject({ job: "again", project: "general", group: "g" });
    const recorded = rowsOf(join(results, "here.csv"))[0]!;
    const metrics = Object.entries<number>(document.results.classification);
    expect(metrics.length).toBeGreaterThan(8);
    for (const [metric, value] of metrics) expect(recorded[`evaluation_${metric}`]).toBe(String(value));
    const job = join(folder, "runtime", "results", "general", "g", "again");
    expect(JSON.parse(readFileSync(join(job, "results.json"), "utf8"))).toEqual(document);
    expect(JSON.parse(readFileSync(join(job, "run.json"), "utf8"))).toMatchObject({
      status: "completed",
      parent: { run_id: "here", round: 1, weights_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
  });

  it("takes the newest of a folder, and shows a table", async () => {
    const { status, stdout } = await evaluate("--checkpoint", checkpoints);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^classification +ok +accuracy +0\.\d+$/m);
    expect(stdout).toMatch(/^results: .*results\.json$/m);
  });

  it("ends with 1 where an evaluator with fail_on_error fails, and still says what the others measured", async () => {
    const failing = `evaluation=[{type="classification"},{type="regression",fail_on_error=true}]`;
    const { status, stdout, stderr } = await evaluate(
      "--checkpoint",
      checkpoints,
      "--set",
      failing,
      "--json",
      "--run-id",
      "strict",
    );
    expect(status).toBe(1);
    expect(stderr).toMatch(/^error \[EVALUATION_FAILED\]: .*regression/m);
    expect(JSON.parse(stdout).results).toMatchObject({
      classification: { accuracy: expect.any(Number) },
      regression: {},
    });
  });

  it.each([
    [["--checkpoint", "nowhere"], "CHECKPOINT_INVALID"],
    [["--checkpoint", "measured.toml"], "CHECKPOINT_INVALID"],
    [["--checkpoint", checkpoints, "--set", "parameters.model.hidden_sizes=[8]"], "CHECKPOINT_INVALID"],
    [
      ["--checkpoint", checkpoints, "--set", "trainer.model_name=lenet5", "--set", "parameters.model={}"],
      "CHECKPOINT_INVALID",
    ],
    [["--checkpoint", checkpoints, "--set", "evaluation=[]"], "CONFIG_INVALID"],
  ])("refuses %j", async (words, code) => {
    const { status, stderr } = await evaluate(...words);
    expect([status, stderr]).toEqual([2, expect.stringContaining(`error [${code}]: `)]);
  });
});
