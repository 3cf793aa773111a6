import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { HostProgress } from "../../../src/trainers/index.js";
import type { Weights } from "../../../src/weights/index.js";
import { tinyConfig } from "../fixtures/tinyConfig.js";
import { type LoggedHost, tinyHost, unstopped } from "../fixtures/tinyHost.js";
import { HOSTILE_NAMES } from "../fixtures/tinyWorld.js";

const seldom = 1000;
const config = tinyConfig({
  trainer: { type: "remembers" },
  data: { testset_size: 12 },
  server: { token: "hush", port: 4321 },
  evaluation: [
    { type: "counting" },
    { type: "scalar_seen", every: 2 },
    { type: "predicting", every: 2 },
    { type: "state_filler", every: seldom },
    { type: "throws_text", every: seldom },
    { type: "wrong_type", every: seldom, fail_on_error: true },
    { type: "not_a_number", every: seldom },
    { type: "ten_thousand", every: seldom },
    { type: "hostile_names", every: seldom },
    { type: "takes_state", every: seldom },
    { type: "takes_context", every: seldom },
    { type: "counting", name: "unharmed", every: seldom },
    { type: "indiscreet", every: seldom },
    { type: "classification", name: "asked", top_k: 1, every: seldom },
    { type: "spoils_rows", every: seldom },
    { type: "classification", name: "asked_again", top_k: 1, every: seldom },
    { type: "sums", every: seldom },
    { type: "rewrites_model", every: seldom },
    { type: "sums", name: "sums_2", every: seldom },
    { type: "frees_variable", every: seldom },
    { type: "sums", name: "sums_3", every: seldom },
    { type: "frees_model", every: seldom },
    { type: "sums", name: "sums_4", every: seldom },
    { type: "sleeps", every: seldom, timeout: 0.2 },
  ],
});

/** What every trainer host promises, wherever it does its work. */
export function trainerHostSuite(where: "process" | "worker"): void {
  describe(`a trainer host in a ${where}`, () => {
    let logged: LoggedHost;
    let weights: Weights;
    const nothing = new Map<string, unknown>();

    beforeAll(async () => {
      logged = await tinyHost(config, where);
      weights = await logged.host.initialWeights();
    });
    afterAll(() => logged.host.close());

    const train = (clientId: number, more: { state?: Map<string, unknown>; test?: boolean } = {}) =>
      logged.host.train({ round: 1, clientId, weights, test: false, state: nothing, ...more }, unstopped);
    const evaluate = (names: string[], state = nothing) =>
      logged.host.evaluate(
        {
          round: 1,
          weights,
          lastRound: false,
          state,
          names,
          scalar: { name: "accuracy", value: 0.5, higherIsBetter: true },
        },
        unstopped,
      );

    test("says which back end and which evaluators it has", async () => {
      const { backend, evaluators } = await logged.host.describe();

      expect(backend).toBe("cpu");
      expect(await logged.host.backend()).toBe("cpu");
      expect(evaluators).toContain("counting");
      expect(evaluators).toEqual([...evaluators].sort());
    });

    test("makes the same initial weights every time, also after training", async () => {
      expect([...weights].map(([name, { shape }]) => [name, shape])).toEqual([
        ["fc1.weight", [4, 5]],
        ["fc1.bias", [5]],
        ["fc2.weight", [5, 3]],
        ["fc2.bias", [3]],
      ]);
      await train(1);
      expect(await logged.host.initialWeights()).toEqual(weights);
    });

    test("trains a client on its own rows and reports", async () => {
      const seen: HostProgress[] = [];
      const outcome = await logged.host.train(
        { round: 1, clientId: 2, weights, test: false, state: nothing },
        unstopped,
        (progress) => seen.push(progress),
      );

      // 60 rows over 3 clients; 2 epochs of 3 batches.
      expect(outcome.numSamples).toBe(20);
      expect(outcome.trainLoss).toBeGreaterThan(0);
      expect(outcome.trainingTime).toBeGreaterThan(0);
      expect(outcome.scalar).toBeNull();
      expect(outcome.weights).not.toEqual(weights);
      expect([...outcome.weights.keys()]).toEqual([...weights.keys()]);
      expect(seen.at(-1)).toMatchObject({ stage: "train", clientId: 2, done: 6, total: 6 });
    });

    test("tests a client after training when asked to", async () => {
      const { scalar } = await train(1, { test: true });

      expect(scalar).toMatchObject({ name: "accuracy", higherIsBetter: true });
      // Twelve test rows.
      expect(scalar!.value * 12).toBeCloseTo(Math.round(scalar!.value * 12), 9);
    });

    test("gives a client the same bits whoever was trained before it", async () => {
      const first = await train(1);
      const second = await train(3);
      const secondAgain = await train(3);
      const firstAgain = await train(1);

      expect(firstAgain.weights).toEqual(first.weights);
      expect(secondAgain.weights).toEqual(second.weights);
      expect(second.weights).not.toEqual(first.weights);
    });

    test("keeps nothing of a client but the state it gives back", async () => {
      const once = await train(1);
      const other = await train(2);
      const twice = await train(1, { state: new Map(once.state) });

      expect(once.state.get("times")).toBe(1);
      expect(other.state.get("times")).toBe(1);
      expect(twice.state.get("times")).toBe(2);
      expect(once.state.get("times")).toBe(1);
    });

    test("gives the scalar, then the evaluators that are due, in their order", async () => {
      const seen: string[] = [];
      const paces: HostProgress[] = [];
      const task = { weights, lastRound: false, state: nothing };
      const first = await logged.host.test({ ...task, round: 1 }, unstopped);
      const second = await logged.host.test({ ...task, round: 2, state: first.state }, unstopped, (p) => {
        if (p.pace) paces.push(p);
        else seen.push(`${p.stage} ${p.done}/${p.total} ${p.note ?? ""}`.trim());
      });

      expect(first.evaluations.map(({ name }) => name)).toEqual(["counting"]);
      expect(second.evaluations.map(({ name, status }) => [name, status])).toEqual([
        ["counting", "ok"],
        ["scalar_seen", "ok"],
        ["predicting", "ok"],
      ]);
      expect(second.evaluations[0]!.result!.metrics).toEqual({ times: 2 });
      expect(second.evaluations[1]!.result!.metrics).toEqual({
        scalar: second.scalar!.value,
        client: 0,
        round: 2,
        rows: 12,
      });
      expect(second.evaluations[2]!.result!.metrics).toEqual({ width: 3, numbers: 9 });
      expect(second.state.get("times")).toBe(2);
      expect(second.state.get("evaluation_primary")).toEqual({
        evaluator: "counting",
        metric: "times",
        value: 2,
      });
      expect(seen[0]).toBe("test 0/1");
      expect(seen).toContain("evaluate 1/3 scalar_seen");
      expect(seen.at(-1)).toBe("evaluate 3/3 predicting");
      expect(paces).toMatchObject([
        {
          stage: "evaluate",
          done: 2,
          total: 3,
          note: "predicting",
          pace: { done: 9, total: 9, timeLeft: 0 },
        },
      ]);
    });

    test("runs only the evaluators it is asked for on a scalar from before", async () => {
      const { scalar, evaluations } = await evaluate(["scalar_seen"]);

      expect(scalar).toEqual({ name: "accuracy", value: 0.5, higherIsBetter: true });
      expect(evaluations.map(({ name }) => name)).toEqual(["scalar_seen"]);
      expect(evaluations[0]!.result!.metrics.scalar).toBe(0.5);
    });

    test("gives back what can be cloned and says once what cannot", async () => {
      const { state } = await evaluate(["state_filler"]);
      await evaluate(["state_filler"]);

      expect(state.get("map")).toEqual(new Map([["__proto__", Float32Array.of(1, 2)]]));
      expect(state.get("when")).toEqual(new Date(0));
      expect(state.has("function")).toBe(false);
      expect(state.has("promise")).toBe(false);
      const warnings = logged.log.filter(({ line }) => line.includes("dropped"));
      expect(warnings).toHaveLength(1);
      expect(warnings[0]).toMatchObject({ level: "warn" });
      expect(warnings[0]!.line).toContain('"function", "promise"');
    });

    test("makes an evaluator's failure an outcome, whatever it threw or returned", async () => {
      const { evaluations } = await evaluate(["throws_text", "wrong_type", "not_a_number"]);

      expect(evaluations.map(({ status, failOnError }) => [status, failOnError])).toEqual([
        ["failed", false],
        ["failed", true],
        ["failed", false],
      ]);
      expect(evaluations[0]!.error!.message).toContain("just a string");
      expect(evaluations[1]!.error!.code).toBe("RESULT_INVALID");
      expect(evaluations[2]!.error!.code).toBe("RESULT_INVALID");
      expect(evaluations.every(({ result }) => result === null)).toBe(true);
    });

    test("keeps its hold on the state, whatever an evaluator does to context and trainer", async () => {
      const names = ["takes_state", "takes_context", "unharmed"];
      const { evaluations, state } = await evaluate(names);

      expect(evaluations.map(({ name, status }) => [name, status])).toEqual([
        ["takes_state", "failed"],
        ["takes_context", "failed"],
        ["unharmed", "ok"],
      ]);
      expect(state.get("taken")).toBe(true);
      expect(state.get("times")).toBe(1);
      expect(Object.keys(state.get("evaluation_status") as object)).toEqual(names);
    });

    test("tells evaluators the configuration, but not the token", async () => {
      const { evaluations, state } = await evaluate(["indiscreet"]);
      const told = JSON.stringify([evaluations, [...state]]);

      expect(told).toContain("4321");
      expect(told).not.toContain("hush");
    });

    test("gives each evaluator, and the next test, the rows as they were", async () => {
      const test = { round: 1, weights, lastRound: false, state: nothing };
      const before = (await logged.host.test(test, unstopped)).scalar;
      const { evaluations } = await evaluate(["asked", "spoils_rows", "asked_again"]);
      const [asked, spoils, askedAgain] = evaluations;
      const after = (await logged.host.test(test, unstopped)).scalar;

      expect(spoils?.status).toBe("ok");
      expect(asked?.result?.metrics.accuracy).toBe(before?.value);
      expect(askedAgain?.result?.metrics).toEqual(asked?.result?.metrics);
      expect(after).toEqual(before);
    });

    test("gives each evaluator the model as it was, whatever the one before did to it", async () => {
      const names = ["sums", "rewrites_model", "sums_2", "frees_variable", "sums_3", "sums_4"];
      const { evaluations } = await evaluate(names);
      const metrics = evaluations.filter(({ type }) => type === "sums").map(({ result }) => result?.metrics);

      expect(evaluations.map(({ status }) => status)).toEqual(names.map(() => "ok"));
      expect(metrics).toEqual(Array(4).fill(metrics[0]));
      expect(metrics[0]).toMatchObject({ same: 1, round: 1 });
    });

    test("has a model for the next round although the last evaluator freed it", async () => {
      const [before] = (await evaluate(["sums"])).evaluations;
      const [freed] = (await evaluate(["frees_model"])).evaluations;
      const [freedAgain, after] = (await evaluate(["frees_model", "sums_4"])).evaluations;
      const { scalar } = await logged.host.test(
        { round: 1, weights, lastRound: false, state: nothing },
        unstopped,
      );

      expect([freed?.status, freedAgain?.status]).toEqual(["ok", "ok"]);
      expect(after?.result?.metrics.sum).toBe(before?.result?.metrics.sum);
      expect(scalar?.name).toBe("accuracy");
    });

    test("brings ten thousand metrics home, and names that are no good as keys", async () => {
      const { evaluations, state } = await evaluate(["ten_thousand", "hostile_names"]);
      const [many, hostile] = evaluations;

      expect(Object.keys(many!.result!.metrics)).toHaveLength(10_000);
      expect(many!.result!.metrics.m9999).toBe(9999);
      expect(Object.entries(hostile!.result!.metrics)).toEqual(
        HOSTILE_NAMES.map((name, index) => [name, index]),
      );
      expect(hostile!.result!.primary_metric).toBe("__proto__");
      const kept = state.get("evaluation_results") as Record<string, { metrics: object }>;
      expect(Object.keys(kept.hostile_names!.metrics)).toEqual(HOSTILE_NAMES);
    });

    test("ends an evaluator at its timeout and goes on", async () => {
      const { evaluations } = await evaluate(["sleeps", "scalar_seen"]);
      const outcomes = evaluations.map(({ name, status, error }) => [name, status, error?.code]);

      expect(outcomes).toEqual([
        ["scalar_seen", "ok", undefined],
        ["sleeps", "timeout", "EVALUATION_TIMEOUT"],
      ]);
    });

    test("refuses weights of another model", async () => {
      const foreign = new Map(weights);
      foreign.delete("fc2.bias");

      await expect(
        logged.host.train(
          { round: 1, clientId: 1, weights: foreign, test: false, state: nothing },
          unstopped,
        ),
      ).rejects.toMatchObject({ code: "WEIGHTS_INVALID" });
    });

    test("stops when it is told to, with the reason it was given, and works on", async () => {
      const stop = new AbortController();
      const training = logged.host.train(
        { round: 1, clientId: 1, weights, test: false, state: nothing },
        stop.signal,
        () => stop.abort(new Error("the round is over")),
      );
      await expect(training).rejects.toMatchObject({
        code: "INTERRUPTED",
        message: expect.stringContaining("the round is over"),
      });
      const late = logged.host.test({ round: 1, weights, lastRound: false, state: nothing }, stop.signal);
      await expect(late).rejects.toMatchObject({ code: "INTERRUPTED" });

      expect((await train(1)).numSamples).toBe(20);
    });

    test("gives up what it is at when it is closed", async () => {
      const { host } = await tinyHost(tinyConfig({ trainer: { epochs: 100_000 } }), where);
      let closing: Promise<void> | undefined;
      const training = host.train(
        { round: 1, clientId: 1, weights, test: false, state: nothing },
        unstopped,
        () => {
          closing ??= host.close();
        },
      );

      await expect(training).rejects.toMatchObject({
        code: "INTERRUPTED",
        message: "The trainer host was closed.",
      });
      await closing;
    });

    test("names round and cause when a strategy cannot be taken down", async () => {
      const { host } = await tinyHost(tinyConfig({ trainer: { type: "throws_at_the_end" } }), where);

      await expect(
        host.test({ round: 2, weights, lastRound: false, state: nothing }, unstopped),
      ).rejects.toMatchObject({
        code: "TEST_FAILED",
        message: "The trainer of the server failed in round 2: no wish to go.",
      });
      await host.close();
    });

    test("names client, round and cause when training fails", async () => {
      const { host } = await tinyHost(tinyConfig({ trainer: { type: "throws_training" } }), where);

      await expect(
        host.train({ round: 2, clientId: 3, weights, test: false, state: nothing }, unstopped),
      ).rejects.toMatchObject({
        code: "TRAINING_FAILED",
        message: "The trainer of client 3 failed in round 2: no wish to train.",
      });
      await host.close();
      await host.close();
      await expect(host.initialWeights()).rejects.toMatchObject({ code: "INTERRUPTED" });
    });
  });
}
