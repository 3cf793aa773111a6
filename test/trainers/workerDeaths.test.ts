import { readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TestOutcome } from "../../src/trainers/index.js";
import type { Weights } from "../../src/weights/index.js";
import { temporaryFolder } from "../support/temporaryFolder.js";
import { TINY_WORLD, tinyConfig } from "./fixtures/tinyConfig.js";
import { type LoggedHost, tinyHost, unstopped } from "./fixtures/tinyHost.js";

const nothing = new Map<string, unknown>();

describe("evaluators that end or hold up their worker", () => {
  const config = tinyConfig({
    evaluation: [
      { type: "counting" },
      { type: "blocks", timeout: 0.3, every: 1000 },
      { type: "exits", every: 1000, fail_on_error: true },
      { type: "exits_later", every: 1000 },
      { type: "killed", every: 1000 },
      { type: "rejects_aside", every: 1000 },
      { type: "signals_itself", every: 1000 },
      { type: "scalar_seen", every: 1000 },
    ],
  });
  let logged: LoggedHost;
  let weights: Weights;
  let outcome: TestOutcome;

  beforeAll(async () => {
    logged = await tinyHost(config, "worker", { deadlines: { grace: 0.3 } });
    weights = await logged.host.initialWeights();
    const stale = new Map<string, unknown>([
      ["evaluation_status", { gone: { status: "ok", reason: null, duration: 1 } }],
      ["times", 4],
    ]);
    outcome = await logged.host.test({ round: 1, weights, lastRound: true, state: stale }, unstopped);
  });
  afterAll(() => logged.host.close());

  const of = (name: string) => outcome.evaluations.find((one) => one.name === name)!;

  test("each is that evaluator's failure, and all the others run", () => {
    expect(outcome.scalar).toMatchObject({ name: "accuracy" });
    expect(outcome.evaluations.map(({ name, status }) => [name, status])).toEqual([
      ["counting", "ok"],
      ["blocks", "timeout"],
      ["exits", "failed"],
      ["exits_later", "failed"],
      ["killed", "failed"],
      ["rejects_aside", "failed"],
      ["signals_itself", "ok"],
      ["scalar_seen", "ok"],
    ]);
  });

  test("one that holds up its thread is ended soon after its timeout", () => {
    expect(of("blocks").error!.code).toBe("EVALUATION_TIMEOUT");
    expect(of("blocks").reason).toContain("timeout of 0.3 s");
    expect(of("blocks").durationSeconds).toBeGreaterThanOrEqual(0.6);
  });

  test("a failure says how the worker ended and what it printed last", () => {
    expect(of("exits").error!.code).toBe("WORKER_DIED");
    expect(of("exits").reason).toContain("exit code 0");
    expect(of("exits").failOnError).toBe(true);
    expect(of("exits_later").reason).toContain("exit code 3");
    expect(of("exits_later").reason).toContain("about to leave");
    expect(of("killed").reason).toContain("signal SIGKILL");
    expect(of("rejects_aside").reason).toContain("nobody waits for this");
  });

  test("each failure is logged once", () => {
    const lines = logged.log.filter(({ level }) => level === "error").map(({ line }) => line);

    for (const name of ["blocks", "exits", "exits_later", "killed", "rejects_aside"]) {
      expect(lines.filter((line) => line.includes(`"${name}"`))).toHaveLength(1);
    }
  });

  test("the state holds what was done before, every status, and nothing out of date", () => {
    const status = outcome.state.get("evaluation_status") as Record<string, { status: string }>;

    expect(outcome.state.get("times")).toBe(5);
    expect(Object.entries(status).map(([name, { status }]) => [name, status])).toEqual(
      expect.arrayContaining(outcome.evaluations.map(({ name, status }) => [name, status])),
    );
    expect(Object.keys(status)).toHaveLength(outcome.evaluations.length);
    expect(Object.keys(outcome.state.get("evaluation_results") as object).sort()).toEqual([
      "counting",
      "scalar_seen",
      "signals_itself",
    ]);
  });

  test("later evaluators see the scalar of the worker that died", () => {
    expect(of("scalar_seen").result!.metrics.scalar).toBe(outcome.scalar!.value);
  });

  test("the next round has a worker as if nothing had been", async () => {
    const next = await logged.host.test(
      { round: 2, weights, lastRound: false, state: outcome.state },
      unstopped,
    );

    expect(next.scalar).toEqual(outcome.scalar);
    expect(next.evaluations.map(({ name, status }) => [name, status])).toEqual([["counting", "ok"]]);
    expect(next.state.get("times")).toBe(6);
    expect(Object.keys(next.state.get("evaluation_status") as object)).toEqual(["counting"]);
  });

  test("signals do not end a worker, closing the host does", async () => {
    const pid = of("signals_itself").result!.metrics.pid!;
    await logged.host.close();

    expect(() => process.kill(pid, 0)).toThrow(expect.objectContaining({ code: "ESRCH" }));
  });
});

describe("an evaluator after one that ran out of time", () => {
  const marks = join(temporaryFolder("marks"), "marks");

  test("runs once, in a worker of its own", async () => {
    const evaluation = [
      { type: "leaves_mark", name: "before", file: marks },
      { type: "sleeps", timeout: 0.1 },
      { type: "leaves_mark", name: "after", file: marks },
      { type: "counting" },
    ];
    const logged = await tinyHost(tinyConfig({ evaluation }), "worker");
    const weights = await logged.host.initialWeights();
    const seen: string[][] = [];
    for (const round of [1, 2]) {
      const task = { round, weights, lastRound: false, state: nothing };
      const { evaluations } = await logged.host.test(task, unstopped);
      seen.push(evaluations.map(({ name, status }) => `${name} ${status}`));
    }
    await logged.host.close();

    expect(seen).toEqual(Array(2).fill(["before ok", "sleeps timeout", "after ok", "counting ok"]));
    const processes = readFileSync(marks, "utf8").trim().split("\n");
    expect(processes).toHaveLength(4);
    for (const round of [0, 2]) expect(processes[round + 1]).not.toBe(processes[round]);
  });
});

describe("a worker that ends or stands still outside an evaluator", () => {
  const weightsOf = async ({ host }: LoggedHost) => host.initialWeights();
  const task = { round: 1, test: false, clientId: 1, state: nothing };

  test("is an error with exit code and last lines while it trains, and a new one can be had", async () => {
    const logged = await tinyHost(tinyConfig({ trainer: { type: "dies_training" } }), "worker");
    const weights = await weightsOf(logged);

    await expect(logged.host.train({ ...task, weights }, unstopped)).rejects.toMatchObject({
      code: "WORKER_DIED",
      message: expect.stringMatching(/client 1 in round 1 ended with exit code 7.*last words of a trainer/s),
      details: { exit_code: 7, signal: null, lines: ["last words of a trainer"] },
    });
    expect(await weightsOf(logged)).toEqual(weights);
    await logged.host.close();
  });

  test("is an error while the scalar is computed, tried once more where earlier work may be to blame", async () => {
    const logged = await tinyHost(
      tinyConfig({ trainer: { type: "dies_testing" }, evaluation: { type: "counting" } }),
      "worker",
    );
    const weights = await weightsOf(logged);
    const testing = logged.host.test({ round: 1, weights, lastRound: false, state: nothing }, unstopped);

    await expect(testing).rejects.toMatchObject({ code: "WORKER_DIED", details: { exit_code: 9 } });
    await logged.host.close();
  });

  test("is ended at the deadline for an answer, and when it does not stop as it was told to", async () => {
    const logged = await tinyHost(tinyConfig({ trainer: { type: "stands_still" } }), "worker", {
      deadlines: { answer: 1, grace: 0.2 },
    });
    const weights = await weightsOf(logged);
    await expect(logged.host.train({ ...task, weights }, unstopped)).rejects.toMatchObject({
      code: "WORKER_TIMEOUT",
    });

    await weightsOf(logged);
    const stop = new AbortController();
    const training = logged.host.train({ ...task, weights }, stop.signal);
    setTimeout(() => stop.abort("withdrawn"), 200);
    await expect(training).rejects.toMatchObject({
      code: "INTERRUPTED",
      message: expect.stringContaining("withdrawn"),
    });
    await logged.host.close();
  });

  test("makes every evaluator fail when no further worker starts", async () => {
    const mark = `${process.pid}-${Date.now()}`;
    process.env.ELENCHUS_ONLY_ONCE = mark;
    const logged = await tinyHost(
      tinyConfig({ evaluation: [{ type: "exits" }, { type: "counting" }, { type: "scalar_seen" }] }),
      "worker",
      { imports: [TINY_WORLD, new URL("./fixtures/onlyOnce.ts", import.meta.url).href] },
    );
    const weights = await weightsOf(logged);
    const { scalar, evaluations } = await logged.host.test(
      { round: 1, weights, lastRound: false, state: nothing },
      unstopped,
    );

    expect(scalar).not.toBeNull();
    expect(evaluations.map(({ status, error }) => [status, error!.code])).toEqual([
      ["failed", "WORKER_DIED"],
      ["failed", "IMPORT_FAILED"],
      ["failed", "IMPORT_FAILED"],
    ]);
    await logged.host.close();
    delete process.env.ELENCHUS_ONLY_ONCE;
    rmSync(join(tmpdir(), `elenchus-only-once-${mark}`));
  });
});
