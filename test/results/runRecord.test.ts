import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLogger, ElenchusError, manualClock } from "../../src/base/index.js";
import { defaultRunId, RunRecord, type RunRecordOptions } from "../../src/results/index.js";
import { failure, outcome, round } from "./fixtures.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "elenchus-record-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const options = (changes: Partial<RunRecordOptions> = {}): RunRecordOptions => ({
  resultPath: folder,
  runId: "run",
  evaluators: ["e"],
  clock: manualClock(Date.UTC(2026, 0, 2, 3, 4, 5, 678)),
  ...changes,
});
const read = (...parts: string[]) => readFile(join(folder, ...parts), "utf8");
const json = async (...parts: string[]) => JSON.parse(await read(...parts));

describe("a run", () => {
  it("is known by its configuration's name and its start", () => {
    const time = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
    expect(defaultRunId("quickstart", time)).toBe("quickstart-20260102T030405Z");
    expect(defaultRunId("../my config é", time)).toBe("my-config--20260102T030405Z");
    expect(defaultRunId("***", time)).toBe("run-20260102T030405Z");
    expect(defaultRunId("x".repeat(300), time)).toHaveLength(197);
  });

  it("is refused an id that is no plain file name, or is another run's per-client file", async () => {
    for (const runId of ["", ".", "../x", "a/b", "-x", "a b", "x_accuracy", "é", "x".repeat(201)]) {
      await expect(RunRecord.create(options({ runId }))).rejects.toMatchObject({ code: "USAGE" });
    }
    expect(await readdir(folder)).toEqual([]);
  });

  it("has a manifest that says what it was, without the token", async () => {
    const config = {
      server: { token: "secret", random_seed: 7, address: "127.0.0.1" },
      data: { random_seed: 8 },
      algorithm: null,
    };
    const parent = { run_id: "before", round: 4, weights_sha256: "ab" };
    const record = await RunRecord.create(options({ name: "quickstart", config, parent }));
    await record.setBackend("wasm");
    expect(await json("run", "run.json")).toEqual({
      schema: 1,
      run_id: "run",
      name: "quickstart",
      status: "running",
      start: "2026-01-02T03:04:05.678Z",
      end: null,
      error: null,
      parent,
      changes: [],
      imports: [],
      backfills: [],
      seeds: { server: 7, data: 8 },
      versions: expect.objectContaining({ elenchus: "0.1.0", node: process.versions.node }),
      backend: "wasm",
      host: expect.objectContaining({ platform: process.platform, cpus: expect.any(Number) }),
      first_round: null,
      columns: {},
      config: { server: { random_seed: 7, address: "127.0.0.1" }, data: { random_seed: 8 }, algorithm: null },
    });
    await record.finish("failed", new ElenchusError("QUORUM_MISSED", "Too few."));
    expect(await json("run", "run.json")).toMatchObject({
      status: "failed",
      end: "2026-01-02T03:04:05.678Z",
      error: { code: "QUORUM_MISSED", message: "Too few." },
    });
  });

  it("exists from its header on and is then refused a second start", async () => {
    await mkdir(join(folder, "run", "evaluations"), { recursive: true });
    await mkdir(join(folder, "run", "group", "job"), { recursive: true });
    await writeFile(join(folder, "run", "evaluations", "1-e.json"), "left over");
    await writeFile(join(folder, "run.csv"), "round,acc");
    await writeFile(join(folder, "run_accuracy.csv"), "round,client_id,accuracy\n1,1,1\n");
    await writeFile(join(folder, ".run.csv.0123456789ab.tmp"), "");

    const record = await RunRecord.create(options());
    expect((await readdir(folder)).sort()).toEqual(["run", "run.csv"]);
    expect((await readdir(join(folder, "run"))).sort()).toEqual(["group", "run.json"]);
    expect(await read("run.csv")).toBe("round,accuracy,elapsed_time\n");
    await record.finish("completed");
    await expect(RunRecord.create(options())).rejects.toMatchObject({ code: "RUN_EXISTS" });
  });

  it.each(["nothing", "a file without a header"])(
    "that several processes start at the same moment belongs to one of them, where there was %s",
    async (before) => {
      for (let attempt = 0; attempt < 20; attempt++) {
        const resultPath = join(folder, String(attempt));
        await mkdir(resultPath);
        if (before !== "nothing") await writeFile(join(resultPath, "run.csv"), "round,acc");
        const started = await Promise.allSettled(
          [1, 2, 3].map(() => RunRecord.create(options({ resultPath, sync: false }))),
        );
        const records = started.filter((one) => one.status === "fulfilled").map((one) => one.value);
        const refusals = started.filter((one) => one.status === "rejected").map((one) => one.reason.code);
        expect(records).toHaveLength(1);
        expect(refusals).toEqual(["RUN_EXISTS", "RUN_EXISTS"]);
        await records[0]!.append(round(1));
        await records[0]!.finish("completed");
        expect((await readdir(resultPath)).sort()).toEqual(["run", "run.csv"]);
      }
    },
  );

  it("says what cannot be written of its configuration", async () => {
    await expect(RunRecord.create(options({ config: { big: 3n } }))).rejects.toThrow("BigInt");
  });

  it("is refused a folder that cannot be written", async () => {
    await writeFile(join(folder, "file"), "");
    await expect(RunRecord.create(options({ resultPath: join(folder, "file", "x") }))).rejects.toMatchObject({
      code: "PATH_UNWRITABLE",
    });
  });

  it("records rounds, their evaluations, their artifacts and their clients", async () => {
    const record = await RunRecord.create(options({ types: "round, accuracy" }));
    await record.append(round(1, { clients: [client(2, 0.5), client(10, Number.NaN)] }));
    await record.append(
      round(2, {
        evaluations: [
          outcome("e", { f1: 0.5 }, { payload: { artifacts: { "table.md": "# A\n", matrix: [[1, 2]] } } }),
        ],
        clients: [client(3, 1)],
      }),
    );
    await record.append(round(3, { evaluations: [failure("e", 'no, "it"\nbroke')] }));
    expect(record.columns).toEqual([
      "round",
      "accuracy",
      "evaluation_primary_value",
      "evaluation_status",
      "evaluation_f1",
    ]);
    await record.finish("completed");

    expect(await read("run.csv")).toBe(
      "round,accuracy,evaluation_primary_value,evaluation_status,evaluation_f1\n1,0.125,,,\n2,0.25,0.5,ok,0.5\n3,0.375,,failed,\n",
    );
    expect(await read("run_accuracy.csv")).toBe("round,client_id,accuracy\n1,2,0.5\n1,10,\n2,3,1\n");
    expect(await json("run", "evaluations", "2-e.json")).toEqual({
      schema: 1,
      round: 2,
      name: "e",
      type: "e",
      status: "ok",
      duration_seconds: 0.25,
      error: null,
      result: {
        evaluator: "e",
        primary_metric: "f1",
        metrics: { f1: 0.5 },
        higher_is_better: {},
        metadata: {},
        artifacts: { "table.md": "# A\n", matrix: [[1, 2]] },
        primary_value: 0.5,
      },
    });
    expect(await json("run", "evaluations", "3-e.json")).toMatchObject({
      status: "failed",
      error: { code: "EVALUATION_FAILED", message: 'no, "it"\nbroke' },
      result: null,
    });
    expect((await readdir(join(folder, "run", "artifacts"))).sort()).toEqual(["2-e-matrix", "2-e-table.md"]);
    expect(await read("run", "artifacts", "2-e-table.md")).toBe("# A\n");
    expect(await json("run", "artifacts", "2-e-matrix")).toEqual([[1, 2]]);
    expect(await json("run", "run.json")).toMatchObject({
      first_round: 1,
      columns: {
        round: { evaluator: null, metric: "round" },
        evaluation_f1: { evaluator: "e", metric: "f1", higher_is_better: null, unit: null },
        evaluation_primary_value: { evaluator: "e", metric: "f1" },
      },
    });
  });

  it("never repeats a round or goes back", async () => {
    const record = await RunRecord.create(options());
    await record.append(round(0));
    await record.append(round(2));
    for (const number of [2, 1, 0]) {
      await expect(record.append(round(number))).rejects.toMatchObject({ code: "RECORD_CORRUPT" });
    }
    expect(record.rows).toBe(2);
    const unawaited = await Promise.allSettled([3, 3, 4].map((number) => record.append(round(number))));
    expect(unawaited.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(record.rows).toBe(4);
    await record.finish("completed");
  });

  it("writes nothing of a round whose result cannot be JSON", async () => {
    const record = await RunRecord.create(options());
    const circle: unknown[] = [];
    circle.push(circle);
    for (const bad of [circle, 3n, undefined]) {
      const one = outcome("e", { a: 1 }, { payload: { artifacts: { bad } } });
      await expect(record.append(round(1, { evaluations: [one] }))).rejects.toMatchObject({
        code: "RESULT_INVALID",
      });
    }
    expect(await readdir(join(folder, "run"))).toEqual(["run.json"]);
    expect(await read("run.csv")).toBe("round,accuracy,elapsed_time\n");
    await record.finish("failed");
  });

  it("warns once of a value that has no column", async () => {
    const lines: string[] = [];
    const logger = createLogger("warn", (line) => lines.push(line));
    const record = await RunRecord.create(options({ logger }));
    for (const number of [1, 2]) {
      await record.append(round(number, { evaluations: [outcome("e", { ok: 1, status: 2 })] }));
    }
    await record.finish("completed");
    expect(lines).toEqual([expect.stringContaining('"status"')]);
  });

  it("calls files by the very names of evaluators and artifacts, where they are harmless", async () => {
    const names = ["My Eval", "naïve Bayes (2)", "😀", "__proto__"];
    const evaluations = names.map((name) =>
      outcome(name, { m: 1 }, { payload: { artifacts: { "Table 1.md": name } } }),
    );
    const record = await RunRecord.create(options({ evaluators: names }));
    await record.append(round(7, { evaluations }));
    await record.finish("completed");

    for (const name of names) {
      expect(await json("run", "evaluations", `7-${name}.json`)).toMatchObject({ name });
      expect(await read("run", "artifacts", `7-${name}-Table 1.md`)).toBe(name);
    }
  });

  it("keeps file names in its folder, whatever evaluators and artifacts are called", async () => {
    const names = ["../../up", "/etc/passwd", "a\nb", "C:\\x", "x".repeat(300), "語".repeat(99), "Ab", "aB"];
    names.push("a?", "a*", ". .", "cafe\u0301", "caf\u00e9", "half \ud83d");
    const artifacts = Object.fromEntries([...names, "..", "KEY", "key", "key_2"].map((name) => [name, name]));
    const evaluations = names.map((name) => outcome(name, { m: 1 }, { payload: { artifacts } }));
    const record = await RunRecord.create(options({ evaluators: names }));
    await record.append(round(1, { evaluations }));
    await record.finish("completed");

    expect((await readdir(folder)).sort()).toEqual(["run", "run.csv"]);
    const files = await readdir(join(folder, "run", "evaluations"));
    expect(files).toHaveLength(names.length);
    expect(files).toEqual(
      expect.arrayContaining([
        "1-__.._up.json",
        "1-_etc_passwd.json",
        "1-a_b.json",
        "1-C_x.json",
        "1-Ab.json",
        "1-aB_2.json",
        "1-a_.json",
        "1-a__2.json",
        "1-half _.json",
      ]),
    );
    const written = await readdir(join(folder, "run", "artifacts"));
    expect(written).toHaveLength(names.length * (names.length + 4));
    expect(await read("run", "artifacts", "1-a_-key_2_2")).toBe("key_2");
    const folded = [...files, ...written].map((file) => file.normalize("NFKD").toLowerCase());
    expect(new Set(folded).size).toBe(folded.length);
    // A temporary file's name is 18 bytes longer.
    expect(Math.max(...[...files, ...written].map((file) => Buffer.byteLength(file)))).toBeLessThan(237);
  });

  it("gives a client's metric that is called like a key column a name of its own", async () => {
    const record = await RunRecord.create(options());
    await record.append(round(1, { clients: [{ clientId: 1, metric: "round", value: 5 }] }));
    await record.append(round(2, { clients: [client(1, 6)] }));
    await record.finish("completed");
    expect(await read("run_accuracy.csv")).toBe("round,client_id,round_metric,accuracy\n1,1,5,\n2,1,,6\n");
  });
});

describe("a run that goes on", () => {
  const rounds = [1, 2, 3].map((number) =>
    round(number, {
      evaluations: [outcome("e", { f1: number / 4, ...(number === 3 && { late: 1 }) })],
      clients: [client(1, number), client(2, -number)],
    }),
  );

  it("is the same wherever it was killed, and its row neither lost nor doubled", async () => {
    const whole = await RunRecord.create(options({ runId: "whole" }));
    for (const one of rounds) await whole.append(one);
    await whole.finish("completed");

    for (const [kill, csv] of [
      "round,accuracy,elapsed_time\n",
      "round,accuracy,elapsed_time\n1,0.1",
      `${header}1,0.125,1.5,0.25,ok,0.25\n`,
      `${header}1,0.125,1.5,0.25,ok,0.25\n2,0.2`,
    ].entries()) {
      for (const clients of ["", "1,1,1\n", "1,1,1\n1,2,-1\n", "1,1,1\n1,2,-1\n2,1,"]) {
        const done = kill < 2 ? 0 : 1;
        const record = await RunRecord.create(options());
        if (done === 1) await record.append(rounds[0]!);
        else if (kill === 1) await record.setBackend("wasm");
        await record.finish("interrupted");
        await writeFile(join(folder, "run.csv"), csv);
        if (done === 0 || clients.length > 10) {
          await writeFile(join(folder, "run_accuracy.csv"), `round,client_id,accuracy\n${clients}`);
        }

        const resumed = await RunRecord.resume(options(), structuredClone(rounds[done]));
        for (const one of rounds.slice(done + 1)) await resumed.append(one);
        await resumed.finish("completed");
        for (const ending of [".csv", "_accuracy.csv"]) {
          expect(await read(`run${ending}`)).toBe(await read(`whole${ending}`));
        }
        expect(await readdir(join(folder, "run", "evaluations"))).toHaveLength(3);
        expect((await json("run", "run.json")).columns).toEqual((await json("whole", "run.json")).columns);
        await rm(join(folder, "run"), { recursive: true });
        await rm(join(folder, "run.csv"));
      }
    }
  });

  it("appends nothing when the CSV has the checkpoint's row, and cuts clients of a later round", async () => {
    const parent = { run_id: "before", round: 4, weights_sha256: "ab" };
    const record = await RunRecord.create(options({ clock: manualClock(0), parent, backend: "wasm" }));
    for (const one of rounds.slice(0, 2)) await record.append(one);
    await record.finish("interrupted");
    const before = await read("run.csv");
    const clients = await read("run_accuracy.csv");
    await writeFile(join(folder, "run_accuracy.csv"), `${clients}3,1,3\n3,2,`);
    await writeFile(join(folder, "run", "evaluations", ".3-e.json.0123456789ab.tmp"), "");

    const resumed = await RunRecord.resume(options(), rounds[1]);
    expect(resumed.manifest).toMatchObject({
      status: "running",
      start: "1970-01-01T00:00:00.000Z",
      end: null,
      parent,
      backend: "wasm",
    });
    await expect(resumed.append(rounds[1]!)).rejects.toMatchObject({ code: "RECORD_CORRUPT" });
    await resumed.finish("completed");
    expect(await read("run.csv")).toBe(before);
    expect(await read("run_accuracy.csv")).toBe(clients);
    expect(await readdir(join(folder, "run", "evaluations"))).toEqual(["1-e.json", "2-e.json"]);
  });

  it("says from which round on it is made with other values", async () => {
    const record = await RunRecord.create(options({ config: { trainer: { epochs: 1 } } }));
    const first = { round: 1, items: { round: 1 }, evaluations: [], clients: [] };
    await record.append(first);
    await record.finish("interrupted");
    // The checkpoint of round 2 was made before the change; its row is still to be appended.
    const again = await RunRecord.resume(options({ config: { trainer: { epochs: 2 } } }), {
      ...first,
      round: 2,
      items: { round: 2 },
    });
    await again.finish("completed");
    expect(again.rows).toBe(2);
    expect(again.manifest.changes).toEqual([{ round: 3, key: "trainer.epochs", was: 1, is: 2 }]);
  });

  it("counts rows from round 0 where there is one, also without a round column", async () => {
    const record = await RunRecord.create(options({ types: "accuracy" }));
    for (const number of [0, 1]) await record.append(round(number));
    await record.finish("interrupted");
    const resumed = await RunRecord.resume(options({ types: "accuracy" }), round(2));
    await resumed.finish("completed");
    expect(await read("run.csv")).toBe("accuracy\n0\n0.125\n0.25\n");
  });

  it("starts at the first round when there is no checkpoint", async () => {
    await (await RunRecord.create(options())).finish("interrupted");
    const resumed = await RunRecord.resume(options(), null);
    await resumed.append(rounds[0]!);
    await resumed.finish("completed");
    expect(resumed.rows).toBe(1);
  });

  it("goes on without its manifest", async () => {
    const record = await RunRecord.create(options());
    await record.append(rounds[0]!);
    await record.finish("interrupted");
    await rm(join(folder, "run"), { recursive: true });
    for (const again of [1, 2]) {
      const resumed = await RunRecord.resume(options(), rounds[again]);
      await resumed.finish("interrupted");
      expect(resumed.rows).toBe(again + 1);
    }
  });

  it("is refused without manifest when its rows do not say their rounds", async () => {
    const record = await RunRecord.create(options({ types: "accuracy" }));
    await record.append(round(1));
    await record.finish("interrupted");
    await rm(join(folder, "run"), { recursive: true });
    await expect(RunRecord.resume(options(), round(2))).rejects.toMatchObject({ code: "RECORD_CORRUPT" });
  });

  it("is refused when CSV and checkpoint cannot belong together", async () => {
    const record = await RunRecord.create(options());
    for (const one of rounds) await record.append(one);
    await record.finish("interrupted");
    const before = await read("run.csv");
    for (const row of [null, rounds[0], rounds[1], round(5)]) {
      await expect(RunRecord.resume(options(), row)).rejects.toMatchObject({ code: "RECORD_CORRUPT" });
    }
    for (const row of ["row", {}, { ...rounds[2], clients: [{}] }, { ...rounds[2], evaluations: [{}] }]) {
      await expect(RunRecord.resume(options(), row)).rejects.toMatchObject({ code: "CHECKPOINT_INVALID" });
    }
    await writeFile(join(folder, "run_accuracy.csv"), "");
    await (await RunRecord.resume(options(), rounds[2])).finish("completed");
    await writeFile(join(folder, "run", "run.json"), "{}");
    await expect(RunRecord.resume(options(), rounds[2])).rejects.toMatchObject({ code: "RECORD_CORRUPT" });
    expect(await read("run.csv")).toBe(before);
    await expect(RunRecord.resume(options({ runId: "none" }), null)).rejects.toMatchObject({
      code: "RUN_NOT_FOUND",
    });
  });
});

const header = "round,accuracy,elapsed_time,evaluation_primary_value,evaluation_status,evaluation_f1\n";

function client(clientId: number, value: number): { clientId: number; metric: string; value: number } {
  return { clientId, metric: "accuracy", value };
}
