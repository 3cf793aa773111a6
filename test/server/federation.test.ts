import { afterEach, describe, expect, it } from "vitest";
import {
  addsItsNumber,
  configOf,
  type FakeTraining,
  outcomeOf,
  startFederation,
  type TestFederation,
} from "./support/federation.js";

let federation: TestFederation | undefined;
afterEach(async () => {
  await federation?.close();
  federation = undefined;
});

const firstWeight = (one: TestFederation) => one.checkpoints.at(-1)!.weights.get("w")!.data[0]!;

describe("a federation over sockets", () => {
  it("runs its rounds to the end with every member trained and every row recorded", async () => {
    federation = await startFederation(configOf());
    const clients = [federation.client(1), federation.client(2)];
    const summary = await federation.server.done;
    expect(summary).toMatchObject({
      status: "completed",
      rounds: 3,
      reason: "all rounds are done",
      error: null,
    });
    expect(federation.rows.map(({ round }) => round)).toEqual([1, 2, 3]);
    expect(federation.checkpoints.map(({ round }) => round)).toEqual([1, 2, 3]);
    // Each test hands its state to the next.
    expect(federation.checkpoints.map(({ state }) => state.get("tests"))).toEqual([1, 2, 3]);
    expect(summary.refused).toEqual({});
    const ends = await Promise.all(clients.map(({ done }) => done));
    expect(ends.map(({ status }) => status)).toEqual(["completed", "completed"]);
    expect(ends[0]!.trained + ends[1]!.trained).toBe(6);
  });

  it("averages by samples, as worked by hand", async () => {
    // Clients 1 and 2 of 2, one round: (10 (1/8 + 1/64) + 20 (2/8 + 1/64)) / 30 = 0.234375 - 1/96 ...
    const config = configOf({ clients: { total_clients: 2, per_round: 2 }, trainer: { rounds: 1 } });
    federation = await startFederation(config);
    federation.client(1);
    federation.client(2);
    await federation.server.done;
    const byHand = (10 * (1 / 8 + 1 / 64) + 20 * (2 / 8 + 1 / 64)) / 30;
    expect(firstWeight(federation)).toBeCloseTo(byHand, 6);
    const { items } = federation.rows[0]!;
    expect(items.round).toBe(1);
    expect(items.accuracy).toBe(firstWeight(federation));
    // Losses 1 and 1/2 over 10 and 20 samples.
    expect(items.train_loss).toBeCloseTo((10 * 1 + 20 * 0.5) / 30, 12);
    expect(items.accuracy_std).toBe(0);
    // Two downloads and two uploads of the same size.
    const bytes = Number(items.comm_overhead) * 2 ** 20;
    expect(bytes % 4).toBe(0);
    expect(bytes).toBeGreaterThan(4 * 16);
  });

  it("gives the same weights and rows with one process and with many", async () => {
    const run = async (processes: number) => {
      const one = await startFederation(configOf({ clients: { per_round: 4 } }), { launched: processes });
      for (let process = 1; process <= processes; process++) one.client(process);
      await one.server.done;
      const rows = one.rows.map(({ items }) => [items.round, items.accuracy, items.train_loss]);
      const weights = firstWeight(one);
      await one.close();
      return { rows, weights };
    };
    expect(await run(3)).toEqual(await run(1));
  });

  it("keeps a logical client's state when another process works for it", async () => {
    const config = configOf({ clients: { total_clients: 1, per_round: 1 }, trainer: { rounds: 2 } });
    federation = await startFederation(config);
    const first = federation.client(1);
    await federation.event("row_recorded");
    first.stop("another takes over");
    federation.client(2);
    await federation.server.done;
    // 1/8 + 1/64, then 1/8 + 2/64.
    expect(firstWeight(federation)).toBe(2 / 8 + 3 / 64);
  });

  it("tests the untrained model first when it is asked to", async () => {
    federation = await startFederation(configOf({ general: { evaluate_round_zero: true } }));
    federation.client(1);
    federation.client(2);
    const summary = await federation.server.done;
    expect(federation.rows.map(({ round }) => round)).toEqual([0, 1, 2, 3]);
    expect(federation.rows[0]!.items).toMatchObject({
      round: 0,
      accuracy: 0,
      train_loss: null,
      comm_time: null,
    });
    expect(summary.rounds).toBe(3);
  });

  it("takes the accuracy from the clients when the server does not test", async () => {
    const scalar = (clientId: number) => ({ name: "F1 score", value: clientId / 10, higherIsBetter: true });
    const training: FakeTraining = {
      train: ({ weights, clientId, test }) => ({
        weights,
        numSamples: clientId,
        trainLoss: null,
        trainingTime: 0,
        scalar: test ? scalar(clientId) : null,
        state: new Map(),
      }),
    };
    const config = configOf({
      clients: { total_clients: 2, per_round: 2, do_test: true, test_interval: 2 },
      server: { do_test: false },
      trainer: { rounds: 2 },
      results: { record_clients_accuracy: true },
    });
    federation = await startFederation(config, { training });
    federation.client(1);
    federation.client(2);
    await federation.server.done;
    const [untested, tested] = federation.rows;
    expect(untested!.items).toMatchObject({ accuracy: null, accuracy_std: null, train_loss: null });
    // 0.1 and 0.2 with weights 1 and 2: mean 0.5 / 3, variance (1 * (1/15)^2 + 2 * (1/30)^2) / 3 = 1/450.
    expect(tested!.items.accuracy).toBeCloseTo(0.5 / 3, 12);
    expect(tested!.items.f1_score).toBeCloseTo(0.5 / 3, 12);
    expect(tested!.items.accuracy_std).toBeCloseTo(Math.sqrt(1 / 450), 12);
    expect(tested!.clients).toEqual([
      { clientId: 1, metric: "F1 score", value: 0.1 },
      { clientId: 2, metric: "F1 score", value: 0.2 },
    ]);
  });

  it.each([
    ["nobody wants them", { do_test: true }, { record_clients_accuracy: false }],
    ["clients do not test, whatever they report", { do_test: false }, { record_clients_accuracy: true }],
  ])("records no client by itself when %s", async (_case, clients, results) => {
    const scalar = { name: "accuracy", value: 0.5, higherIsBetter: true };
    const training: FakeTraining = { train: (task) => ({ ...addsItsNumber(task), scalar }) };
    const config = configOf({ clients, results, trainer: { rounds: 1 } });
    federation = await startFederation(config, { training });
    federation.client(1);
    federation.client(2);
    await federation.server.done;
    expect(federation.rows.map((row) => row.clients)).toEqual([[]]);
  });

  it("stops when the accuracy reaches its target, after the evaluators that were not due", async () => {
    const asked: (readonly string[] | null)[] = [];
    const training: FakeTraining = {
      scalar: ({ round }) => round / 10,
      evaluations: (_task, names) => {
        asked.push(names);
        return names === null ? [outcomeOf("second")] : names.map((name) => outcomeOf(name));
      },
    };
    const config = configOf({
      trainer: { rounds: 5, target_accuracy: 0.2 },
      evaluation: [{ type: "first", every: 5 }, { type: "second" }],
    });
    federation = await startFederation(config, { training });
    federation.client(1);
    federation.client(2);
    const summary = await federation.server.done;
    expect(summary).toMatchObject({ status: "completed", rounds: 2 });
    expect(summary.reason).toContain("target_accuracy");
    expect(asked).toEqual([null, null, ["first"]]);
    expect(federation.rows[1]!.evaluations.map(({ name }) => name)).toEqual(["first", "second"]);
    expect(federation.checkpoints[1]!.clocks.completed).toBe(1);
    expect(federation.checkpoints[1]!.primary).toEqual({ metric: "score", value: 0.5, higherIsBetter: true });
  });

  it("writes the row, then fails, when a strict evaluator failed", async () => {
    const failure = outcomeOf("strict", {
      status: "timeout",
      failOnError: true,
      result: null,
      reason: "no answer in 1 s",
      error: { code: "EVALUATION_TIMEOUT", message: "no answer in 1 s" },
    });
    const training: FakeTraining = {
      evaluations: ({ round }) => [round === 2 ? failure : outcomeOf("strict", { failOnError: true })],
    };
    federation = await startFederation(configOf({ evaluation: { type: "strict", fail_on_error: true } }), {
      training,
    });
    federation.client(1);
    const second = federation.client(2);
    const summary = await federation.server.done;
    expect(summary).toMatchObject({ status: "failed", rounds: 2, error: { code: "EVALUATION_FAILED" } });
    expect(summary.error!.message).toContain('"strict" ran out of time: no answer in 1 s.');
    expect(federation.rows.at(-1)!.evaluations[0]!.status).toBe("timeout");
    expect(federation.checkpoints.map(({ round }) => round)).toEqual([1, 2]);
    expect(await second.done).toMatchObject({
      status: "failed",
      rounds: 2,
      error: { code: "EVALUATION_FAILED", message: summary.error!.message },
    });
  });

  const row = { round: 1, accuracy: 0.25, train_loss: null, evaluation_status: "ok" };
  it.each([
    ["is told to them", async () => row, row, []],
    [
      "is left out when it cannot be read",
      async () => Promise.reject(new Error("no such file")),
      null,
      ["warn: Clients are not told the last row: no such file."],
    ],
    [
      "is left out when it is too long for a message",
      async () => ({ text: "x".repeat(2 ** 20) }),
      null,
      [
        expect.stringMatching(
          /^warn: Clients are not told the last row: .* server\.max_report_bytes = 1048576\.$/,
        ),
      ],
    ],
  ])("ends for clients too, and its last row %s", async (_case, lastRow, expected, warnings) => {
    federation = await startFederation(configOf({ trainer: { rounds: 1 } }), { lastRow });
    const client = federation.client(1);
    federation.client(2);
    await federation.server.done;
    expect(await client.done).toMatchObject({
      status: "completed",
      runId: "test-run",
      rounds: 1,
      lastRow: expected,
      error: null,
    });
    expect(federation.logs.filter((line) => line.startsWith("warn"))).toEqual(warnings);
  });

  it("fails when the test cannot be done", async () => {
    const training: FakeTraining = {
      scalar() {
        throw new Error("no test set");
      },
    };
    federation = await startFederation(configOf(), { training });
    federation.client(1);
    federation.client(2);
    const summary = await federation.server.done;
    expect(summary).toMatchObject({
      status: "failed",
      rounds: 0,
      lastRow: null,
      error: { code: "INTERNAL" },
    });
    expect(summary.reason).toContain("no test set");
  });

  it("fails when a row cannot be written", async () => {
    federation = await startFederation(configOf(), {
      record: {
        append: async () => {
          throw new Error("disk full");
        },
      },
    });
    federation.client(1);
    federation.client(2);
    expect((await federation.server.done).reason).toContain("disk full");
  });

  it("goes on when its spectator throws", async () => {
    federation = await startFederation(configOf({ trainer: { rounds: 1 } }), {
      onEvent() {
        throw new Error("the terminal is gone");
      },
    });
    federation.client(1);
    federation.client(2);
    expect((await federation.server.done).status).toBe("completed");
    expect(federation.logs.some((line) => line.includes("the terminal is gone"))).toBe(true);
  });

  it("ends in order when it is told to stop", async () => {
    const training: FakeTraining = {
      train: (_task, signal) =>
        new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("aborted")))),
    };
    federation = await startFederation(configOf(), { training });
    const client = federation.client(1);
    federation.client(2);
    await federation.event("progress");
    federation.server.stop("Ctrl-C");
    federation.server.stop("again");
    const summary = await federation.server.done;
    expect(summary).toMatchObject({ status: "interrupted", rounds: 0, error: { code: "INTERRUPTED" } });
    expect(await client.done).toMatchObject({
      status: "interrupted",
      rounds: 0,
      lastRow: null,
      error: { code: "INTERRUPTED" },
    });
    expect(federation.events).toContainEqual({ kind: "closing", connected: [1, 2] });
    expect(federation.events.filter(({ kind }) => kind === "closed")).toHaveLength(1);
  });
});

describe("a resumed run", () => {
  const config = configOf({ trainer: { rounds: 6 }, clients: { per_round: 3 } });
  const facts = (one: TestFederation) =>
    one.rows.map(({ items }) => [items.round, items.accuracy, items.train_loss, items.comm_overhead]);

  it("gives the weights and rows of a run that never stopped", async () => {
    const whole = await startFederation(config, { launched: 2 });
    whole.client(1);
    whole.client(2);
    await whole.server.done;
    const expected = {
      facts: facts(whole),
      weights: firstWeight(whole),
      state: whole.checkpoints.at(-1)!.state,
    };
    await whole.close();

    const first = await startFederation(config, { launched: 2 });
    first.client(1);
    first.client(2);
    await first.event("row_recorded", ({ record }) => record.round === 3);
    first.server.stop("Ctrl-C");
    await first.server.done;
    const resume = first.checkpoints.find(({ round }) => round === 3)!;
    const before = facts(first).slice(0, 3);

    federation = await startFederation(config, { launched: 2, resume, folder: first.folder });
    federation.client(1);
    federation.client(2);
    const summary = await federation.server.done;
    expect(summary).toMatchObject({ status: "completed", rounds: 6 });
    expect([...before, ...facts(federation)]).toEqual(expected.facts);
    expect(firstWeight(federation)).toBe(expected.weights);
    expect(federation.checkpoints.at(-1)!.state).toEqual(expected.state);
    const elapsed = federation.rows[0]!.items.elapsed_time;
    expect(elapsed).toBeGreaterThan(resume.clocks.elapsed_time!);
    await first.close();
  });

  it("does nothing when nothing is left to do", async () => {
    const done = await startFederation(configOf({ trainer: { rounds: 1 } }));
    done.client(1);
    done.client(2);
    await done.server.done;
    const resume = done.checkpoints[0]!;
    await done.close();
    for (const checkpoint of [resume, { ...resume, clocks: { ...resume.clocks, completed: 1 } }]) {
      const rounds = checkpoint === resume ? 1 : 9;
      federation = await startFederation(configOf({ trainer: { rounds } }), { resume: checkpoint });
      const summary = await federation.server.done;
      expect(summary).toMatchObject({ status: "completed", rounds: 1, lastRow: resume.row });
      expect(federation.rows).toEqual([]);
      await federation.close();
    }
  });
});
