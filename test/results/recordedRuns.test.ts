import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { manualClock } from "../../src/base/index.js";
import {
  findRun,
  newestRun,
  RunRecord,
  requireSameRun,
  runDocument,
  runIds,
  shownTable,
  writeStandaloneResults,
} from "../../src/results/index.js";
import { failure, outcome, round } from "./fixtures.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "elenchus-runs-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function recorded(runId: string, name: string, start = 0): Promise<void> {
  const record = await RunRecord.create({ resultPath: folder, runId, name, clock: manualClock(start) });
  await record.append(round(1, { clients: [{ clientId: 1, metric: "accuracy", value: 1 }] }));
  await record.finish("completed");
}

describe("a run", () => {
  it("is found by its id, its folder, and either of its CSVs", async () => {
    await recorded("run-1", "quickstart");
    const expected = { runId: "run-1", manifest: { name: "quickstart", status: "completed" } };
    for (const run of [
      "run-1",
      join(folder, "run-1"),
      join(folder, "run-1.csv"),
      join(folder, "run-1_accuracy.csv"),
    ]) {
      expect(await findRun(run, folder)).toMatchObject(expected);
    }
    expect((await findRun(join(folder, "run-1"), join(folder, "elsewhere"))).paths.csv).toBe(
      join(folder, "run-1.csv"),
    );
  });

  it("that is not there is an error with the nearest id", async () => {
    await recorded("quickstart-1", "quickstart");
    await writeFile(join(folder, "no header.csv"), "a");
    await writeFile(join(folder, "torn.csv"), "a");
    for (const run of ["quickstart-2", "torn", join(folder, "torn.csv"), "..", "", folder]) {
      await expect(findRun(run, folder)).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
    }
    await expect(findRun("quickstat-1", folder)).rejects.toThrow('Did you mean "quickstart-1"?');
    await expect(findRun("x", join(folder, "none"))).rejects.toThrow("no such id");
    expect(await runIds(folder)).toEqual(["quickstart-1"]);
  });

  it("is found as the newest of its configuration's name, with or without a sound manifest", async () => {
    expect(await newestRun("quickstart", folder)).toBeNull();
    await recorded("mine", "quickstart", Date.UTC(2026, 0, 2));
    await recorded("quickstart-20260101T000000Z", "quickstart", Date.UTC(2026, 0, 1));
    await recorded("quickstart-20270101T000000Z", "other", Date.UTC(2027, 0, 1));
    expect((await newestRun("quickstart", folder))?.runId).toBe("mine");

    await writeFile(join(folder, "quickstart-20260103T000000Z.csv"), "round\n");
    await writeFile(join(folder, "quickstart-x.csv"), "round\n");
    expect((await newestRun("quickstart", folder))?.runId).toBe("quickstart-20260103T000000Z");
    await mkdir(join(folder, "quickstart-20260104T000000Z"));
    await writeFile(join(folder, "quickstart-20260104T000000Z", "run.json"), "torn");
    await writeFile(join(folder, "quickstart-20260104T000000Z.csv"), "round\n");
    expect(await newestRun("quickstart", folder)).toMatchObject({
      runId: "quickstart-20260104T000000Z",
      manifest: null,
    });
  });

  it("is printed with numbers as numbers and empty cells as null", async () => {
    await recorded("run", "quickstart");
    expect(await runDocument(await findRun("run", folder))).toEqual({
      run_id: "run",
      rows: [{ round: 1, accuracy: 0.125, elapsed_time: 1.5 }],
    });
  });
});

describe("a table for people", () => {
  const table = {
    columns: ["round", "accuracy", "evaluation_log_loss", "evaluation_b_f1", "note"],
    rows: [
      new Map<string, number | string | null>([
        ["round", 10],
        ["accuracy", 1 / 3],
        ["evaluation_log_loss", 1e-9],
        ["evaluation_b_f1", null],
        ["note", "a\n\u001b[31m"],
      ]),
    ],
  };

  it("rounds numbers and shows control characters", () => {
    expect(shownTable(table)).toEqual({
      head: table.columns,
      rows: [["10", "0.333333", "1e-9", "", "a\\n\\u001b[31m"]],
    });
  });

  it("shows one metric beside the round: by column, by its own name, by what the manifest says", () => {
    const head = (metric: string, manifest?: object) =>
      shownTable(table, { metric, ...(manifest && { manifest: manifest as never }) }).head;
    expect(head("accuracy")).toEqual(["round", "accuracy"]);
    expect(head("round")).toEqual(["round"]);
    expect(head("Log Loss")).toEqual(["round", "evaluation_log_loss"]);
    const columns = { evaluation_b_f1: { metric: "F1!" }, evaluation_gone: { metric: "F1!" } };
    expect(head("F1!", { columns })).toEqual(["round", "evaluation_b_f1"]);
    expect(() => head("acuracy")).toThrow('Did you mean "accuracy"?');
  });
});

describe("results outside a run", () => {
  const standalone = { resultPath: "", runId: "job-1", name: "quickstart", start: 0, end: 1000, config: {} };

  it("are written under project and group, with a manifest that names the checkpoint", async () => {
    const parent = { run_id: "run", round: 3, weights_sha256: "ab" };
    const { path, document } = await writeStandaloneResults({
      ...standalone,
      resultPath: folder,
      parent,
      outcomes: [outcome("e", { f1: 0.5, wild: Number.NaN }), failure("__proto__")],
    });
    expect(path).toBe(join(folder, "general", "default", "job-1", "results.json"));
    const text = await readFile(path, "utf8");
    expect(JSON.parse(text)).toEqual(document);
    expect(text.replace(/\s+/g, "")).toBe(
      '{"job":"job-1","project":"general","group":"default","results":{"e":{"f1":0.5},"__proto__":{}}}',
    );
    expect(JSON.parse(await readFile(join(path, "..", "run.json"), "utf8"))).toMatchObject({
      run_id: "job-1",
      status: "failed",
      end: "1970-01-01T00:00:01.000Z",
      parent,
    });
  });

  it("stay in the results folder whatever project and group are called, and are never replaced", async () => {
    const hostile = {
      ...standalone,
      resultPath: folder,
      project: "../..",
      group: "a/b",
      outcomes: [outcome("e", { f1: 1 })],
    };
    const { path, document } = await writeStandaloneResults(hostile);
    expect(relative(folder, path).split(sep)).toEqual([
      expect.stringMatching(/^_+[0-9a-f]{8}$/),
      "a_b",
      "job-1",
      "results.json",
    ]);
    expect(document).toMatchObject({ project: "../..", group: "a/b" });
    await expect(writeStandaloneResults(hostile)).rejects.toMatchObject({ code: "RUN_EXISTS" });
    const harmless = await writeStandaloneResults({ ...hostile, project: "My project", group: "näxt" });
    expect(harmless.path).toBe(join(folder, "My project", "näxt", "job-1", "results.json"));
    await expect(writeStandaloneResults({ ...hostile, runId: "../x" })).rejects.toMatchObject({
      code: "USAGE",
    });
  });
});

describe("a configuration to resume with", () => {
  const config = {
    server: { random_seed: 1, port: 8000 },
    clients: { total_clients: 10, per_round: 2 },
    data: { sampler: "iid", data_path: "data", random_seed: 1, list: [1, 2] },
    trainer: { model_name: "lenet5", rounds: 5 },
    parameters: { model: { classes: 10 }, optimizer: { lr: 0.1 } },
    algorithm: { type: "fedavg" },
  };

  it("may change what does not decide the run's numbers so far", () => {
    const more = {
      ...config,
      server: { random_seed: 1, port: 0 },
      trainer: { model_name: "lenet5", rounds: 50 },
      data: { ...config.data, data_path: "/elsewhere" },
      evaluation: { type: "x" },
    };
    expect(requireSameRun(config, more)).toContainEqual({ key: "evaluation.type", was: null, is: "x" });
    expect(requireSameRun(config, more).map(({ key }) => key)).toContain("trainer.rounds");
    expect(() =>
      requireSameRun(JSON.parse(JSON.stringify(config)), { ...config, general: undefined }),
    ).not.toThrow();
  });

  it("is refused by key when model, data, algorithm or seed changed", () => {
    const changed = {
      ...config,
      server: { random_seed: 2 },
      data: { ...config.data, sampler: "noniid", concentration: 1, list: [2, 1] },
      trainer: { model_name: "multilayer" },
      parameters: { model: {} },
      algorithm: { type: "fedprox" },
    };
    expect(() => requireSameRun(config, changed)).toThrow(
      expect.objectContaining({
        code: "RESUME_REFUSED",
        message: expect.stringContaining('data.sampler was "iid" and is "noniid"'),
        details: {
          keys: [
            "server.random_seed",
            "data.sampler",
            "data.list",
            "trainer.model_name",
            "parameters.model.classes",
            "algorithm.type",
            "data.concentration",
          ],
        },
      }),
    );
  });
});
