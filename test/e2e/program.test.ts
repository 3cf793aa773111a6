import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { elenchus, startNode } from "../support/commandLine.js";
import { userProject } from "../support/project.js";
import { rowsOf } from "../support/records.js";
import { smallConfig } from "../support/smallConfig.js";

/** The program of the documentation, as it stands there. */
const PROGRAM = readFileSync(new URL("../../examples/token-count.ts", import.meta.url), "utf8");
const CONFIG = smallConfig(`
[evaluation]
type = "token_count"
`);

const project = userProject("program", { name: "mine", type: "module" });
project.write("configs/quickstart.toml", CONFIG);
const program = (file: string) =>
  startNode(["--import", import.meta.resolve("tsx"), file], project.folder).finished;
const results = join(project.folder, "runtime", "results");

describe("a program that registers an evaluator and calls run()", () => {
  it("works as it stands in the documentation, in a project of its own", async () => {
    project.write("program.ts", PROGRAM);
    const { status, stderr } = await program("program.ts");
    expect(status, stderr).toBe(0);
    const runs = readdirSync(results).filter((name) => /^quickstart-\d{8}T\d{6}Z\.csv$/.test(name));
    expect(runs).toHaveLength(1);
    const rows = rowsOf(join(results, runs[0]!));
    expect(
      rows.map(({ round, evaluation_token_count: count, evaluation_status: status }) => [
        round,
        count,
        status,
      ]),
    ).toEqual([
      ["1", "0", "ok"],
      ["2", "0", "ok"],
    ]);
  }, 60_000);

  it("gets the document of `run --json`, and whatever went wrong as an error", async () => {
    project.write(
      "caller.ts",
      PROGRAM.replace(
        /await run\(.*/,
        `const document = await run("configs/quickstart.toml", { runId: "called", seed: 3, set: ["trainer.rounds=1"] });
const codes: string[] = [];
for (const options of [{ imports: [] }, { runId: "called" }, { set: ["trainer.epochs=0"] }, { imports: ["./none.ts"] }]) {
  codes.push(await run("configs/quickstart.toml", { log: "silent", ...options }).then(() => "none", (error) => error.code));
}
const message = await run("configs/quickstart.toml", { imports: [] }).catch((error) => error.message);
console.log(JSON.stringify({ document, codes, message }));`,
      ),
    );
    const { status, stdout, stderr } = await program("caller.ts");
    expect(status, stderr).toBe(0);
    const { document, codes, message } = JSON.parse(stdout.split("\n").at(-2)!);
    const shown = await elenchus(["results", "called", "--json"], project.folder);
    expect(document).toEqual({
      run_id: "called",
      status: "completed",
      rounds: 1,
      csv: join(results, "called.csv"),
      last_row: JSON.parse(shown.stdout)[0].rows.at(-1),
    });
    expect(document.last_row).toMatchObject({ round: 1, evaluation_token_count: 0, evaluation_status: "ok" });
    expect(codes).toEqual(["EVALUATOR_NOT_IN_WORKER", "RUN_EXISTS", "CONFIG_INVALID", "IMPORT_FAILED"]);
    expect(message).toMatch(/"token_count".*imports/);
  }, 60_000);

  it("may end the run, and take a configuration that is no file", async () => {
    project.write(
      "stopper.ts",
      PROGRAM.replace(
        /await run\(.*/,
        `import { setTimeout } from "node:timers";
const config = {
  clients: { total_clients: 1, per_round: 1 },
  server: { port: 0 },
  data: { datasource: "digits", sampler: "iid", partition_size: 64 },
  trainer: { type: "basic", model_name: "multilayer", rounds: 100_000, epochs: 1, batch_size: 32, optimizer: "SGD" },
  parameters: { optimizer: { lr: 0.1 } },
  algorithm: { type: "fedavg" },
  evaluation: { type: "token_count" },
};
const stop = new AbortController();
process.stderr.write = ((write) => (text: string) => {
  if (/^ *2\\/100000 /.test(text)) stop.abort();
  return write(text);
})(process.stderr.write.bind(process.stderr)) as typeof process.stderr.write;
await run(config, { runId: "stopped", signal: stop.signal }).catch((error) => console.log(error.code, error.message));`,
      ),
    );
    const { status, stdout, stderr } = await program("stopper.ts");
    expect(status, stderr).toBe(0);
    expect(stdout).toMatch(/^INTERRUPTED The run stopped was stopped/);
    expect(rowsOf(join(results, "stopped.csv")).length).toBeGreaterThanOrEqual(2);
  }, 60_000);
});

describe("modules for --import", () => {
  const files = userProject("imports");
  const register = (name: string) => `registry.register("${name}", () => ({
  evaluate: () => ({ evaluator: "${name}", primaryMetric: "one", metrics: { one } }),
}));\n`;
  files.write(
    "typed.ts",
    `import { registry } from "elenchus";\nconst one: number = await Promise.resolve(1);\n${register("typed")}`,
  );
  files.write(
    "plain.js",
    `import { registry } from "elenchus/evaluators";\nimport { one } from "./value.js";\n${register("plain")}`,
  );
  files.write("value.ts", `export const one = 1 as const;\n`);
  files.write("module.mjs", `import { registry } from "elenchus";\nconst one = 1;\n${register("module")}`);
  files.write("old.cjs", `const { registry } = require("elenchus");\nconst one = 1;\n${register("old")}`);
  const names = ["typed", "plain", "module", "old"];
  const tables = names.map((name) => `\n[[evaluation]]\ntype = "${name}"\nfail_on_error = true\n`);
  files.write("all.toml", smallConfig(tables.join(""), { rounds: 1 }));
  const imports = ["typed.ts", "plain.js", "module.mjs", "old.cjs"].flatMap((file) => ["--import", file]);

  it("may be TypeScript or not, and need no package.json", async () => {
    const { status, stdout, stderr } = await elenchus(
      ["run", "all.toml", "--run-id", "all", "--json", ...imports],
      files.folder,
    );
    expect(status, stderr).toBe(0);
    const { last_row } = JSON.parse(stdout);
    for (const name of names) expect(last_row[`evaluation_${name}_primary_value`]).toBe(1);
  }, 60_000);

  it.each([
    ["none.ts", /none\.ts/],
    ["broken.mjs", /it is broken/],
  ])("that cannot be loaded are named: %s", async (file, cause) => {
    files.write("broken.mjs", `throw new Error("it is broken");\n`);
    for (const words of [
      ["run", "all.toml"],
      ["list", "evaluators"],
    ]) {
      const { status, stderr } = await elenchus([...words, "--import", file], files.folder);
      expect(status).toBe(2);
      expect(stderr).toMatch(/^error \[IMPORT_FAILED\]/m);
      expect(stderr).toMatch(cause);
    }
  });
});
