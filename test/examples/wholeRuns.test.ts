import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runProgram } from "./programs.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A federation small enough for a test: two rounds of two clients and the smallest model. */
const federation = (evaluator: string) => `
[clients]
total_clients = 2
per_round = 2

[server]
port = 0

[data]
datasource = "digits"
sampler = "iid"
partition_size = 60

[trainer]
type = "basic"
model_name = "multilayer"
rounds = 2
epochs = 1
batch_size = 20
optimizer = "SGD"

[parameters.optimizer]
lr = 0.1

[algorithm]
type = "fedavg"

[evaluation]
type = "${evaluator}"
fail_on_error = true
`;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "elenchus-example-"));
  await mkdir(join(folder, "configs"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("examples in whole runs", () => {
  it("counts tokens, as the program of the documentation does", { timeout: 120_000 }, async () => {
    const program = await readFile(join(root, "examples/token-count.ts"), "utf8");
    const guide = await readFile(join(root, "docs/evaluators.md"), "utf8");
    const shown = /^class TokenCountEvaluator.*?^}$/ms;
    expect(shown.exec(program)?.[0]).toBe(shown.exec(guide)?.[0]);

    await writeFile(join(folder, "configs/quickstart.toml"), federation("token_count"));
    await runProgram("examples/token-count.ts", { cwd: folder });
    const { last_row } = await newestRun();
    expect(last_row).toMatchObject({
      round: 2,
      evaluation_primary_value: 0,
      evaluation_status: "ok",
      evaluation_token_count: 0,
    });
  });

  it("keeps the state of the one in plain JavaScript from round to round", { timeout: 120_000 }, async () => {
    await writeFile(join(folder, "progress.toml"), federation("progress"));
    const { stdout } = await runProgram("dist/cli/main.js", {
      cwd: folder,
      arguments: ["run", "progress.toml", "--json", "--import", join(root, "examples/plain-javascript.mjs")],
    });
    const { status, rounds } = JSON.parse(stdout);
    expect({ status, rounds }).toEqual({ status: "completed", rounds: 2 });
    const { rows } = await newestRun();
    const accuracies = rows.map((row) => Number(row.accuracy));
    expect(rows.map((row) => row.evaluation_best)).toEqual([accuracies[0], Math.max(...accuracies)]);
    expect(rows[1]?.evaluation_rounds_without_progress).toBe(accuracies[1]! > accuracies[0]! ? 0 : 1);
  });
});

type Row = Record<string, number | string | null>;

/** The one run of the folder, read back by the command for it. */
async function newestRun(): Promise<{ rows: Row[]; last_row: Row | undefined }> {
  const csv = (await readdir(join(folder, "runtime/results"))).find((file) => file.endsWith(".csv"));
  const { stdout } = await runProgram("dist/cli/main.js", {
    cwd: folder,
    arguments: ["results", join(folder, "runtime/results", csv ?? "none"), "--json"],
  });
  const [run] = JSON.parse(stdout) as { rows: Row[] }[];
  return { rows: run?.rows ?? [], last_row: run?.rows.at(-1) };
}
