import { describe, expect, it } from "vitest";
import { ElenchusError, manualClock, silentLogger } from "../../src/base/index.js";
import {
  applyOutcomes,
  ColumnClaims,
  createEvaluatorRegistry,
  type EvaluationOutcome,
  type EvaluationRound,
  Evaluator,
  evaluateRound,
  failedOutcome,
  strictFailure,
  TrainingContext,
  tableEntries,
} from "../../src/evaluators/index.js";

const registry = createEvaluatorRegistry();
registry.register("loss", (config) => ({
  evaluate: () => ({
    evaluator: "loss",
    primaryMetric: "loss",
    metrics: { loss: Number(config.value ?? 1) },
    higherIsBetter: { loss: false },
  }),
}));
registry.register(
  "declared",
  class extends Evaluator {
    static metrics = { score: { higherIsBetter: true } };
    evaluate = () => ({
      evaluator: "declared",
      primaryMetric: "score",
      metrics: { score: Number(this.config.value) },
      details: { easy: 1 },
      sums: { score: { numerator: 1, denominator: 2, transform: "identity" as const } },
    });
  },
);
registry.register("broken", () => ({ evaluate: () => Promise.reject(new Error("boom")) }));

async function outcomes(
  evaluation: unknown,
  more: Partial<EvaluationRound> = {},
): Promise<EvaluationOutcome[]> {
  const all: EvaluationOutcome[] = [];
  const round = { config: { evaluation }, registry, logger: silentLogger, ...more };
  for await (const { outcome } of evaluateRound(round)) all.push(outcome);
  return all;
}

describe("evaluateRound", () => {
  it("gives outcomes that are plain data and say everything", async () => {
    const clock = manualClock();
    const [outcome] = await outcomes(
      { type: "declared", value: 0.5, target: 0.4, fail_on_error: true },
      { clock },
    );
    expect(outcome).toStrictEqual({
      name: "declared",
      type: "declared",
      status: "ok",
      reason: null,
      durationSeconds: 0,
      error: null,
      result: {
        evaluator: "declared",
        primary_metric: "score",
        metrics: { score: 0.5 },
        higher_is_better: {},
        metadata: {},
        artifacts: {},
        primary_value: 0.5,
      },
      details: { easy: 1 },
      sums: { score: { numerator: 1, denominator: 2, transform: "identity" } },
      sampled: null,
      failOnError: true,
      primaryHigherIsBetter: true,
      targetReached: true,
    });
    expect(structuredClone(outcome)).toStrictEqual(outcome);
    expect(JSON.parse(JSON.stringify(outcome))).toStrictEqual(outcome);
  });

  it("carries fail_on_error and goes on: what follows is the host's", async () => {
    const all = await outcomes([{ type: "broken", fail_on_error: true }, { type: "loss" }, { type: "gone" }]);
    expect(
      all.map(({ name, status, failOnError, error }) => [name, status, failOnError, error?.code]),
    ).toEqual([
      ["broken", "failed", true, "EVALUATION_FAILED"],
      ["loss", "ok", false, undefined],
      ["gone", "failed", false, "NAME_UNKNOWN"],
    ]);
    expect(strictFailure(all)?.message).toContain('"broken" failed: boom');
    expect(strictFailure(all.slice(1))).toBeUndefined();
    expect(
      strictFailure([all[0]!, { ...all[0]!, name: "late", status: "timeout", reason: null }])?.message,
    ).toBe(
      'The evaluator "broken" failed: boom. The evaluator "late" ran out of time: no cause is known. With fail_on_error = false the run would go on.',
    );
  });

  it.each([
    ["loss", 0.3, 0.3, true],
    ["loss", 0.31, 0.3, false],
    ["declared", 0.3, 0.3, true],
    ["declared", 0.29, 0.3, false],
    ["declared", 1, undefined, false],
  ])(
    "reaches a target in the metric's direction: %s %d of %d is %s",
    async (type, value, target, reached) => {
      const [outcome] = await outcomes({ type, value, ...(target !== undefined && { target }) });
      expect(outcome?.targetReached).toBe(reached);
    },
  );

  it("updates the state before each outcome is given", async () => {
    const context = new TrainingContext({ currentRound: 1 });
    const seen: string[][] = [];
    const config = { evaluation: [{ type: "loss" }, { type: "broken" }] };
    for await (const _ of evaluateRound({ context, config, registry, logger: silentLogger })) {
      seen.push(Object.keys(context.state.get("evaluation_status") as object));
    }
    expect(seen).toEqual([["loss"], ["loss", "broken"]]);
  });

  it("knows the last round from trainer.rounds, or is told", async () => {
    const evaluation = { type: "loss", every: 10 };
    const ran = async (currentRound: number, more: Partial<EvaluationRound>) =>
      (await outcomes(evaluation, { context: new TrainingContext({ currentRound }), ...more })).length;
    const config = { evaluation, trainer: { rounds: 7 } };
    expect(await ran(6, { config })).toBe(0);
    expect(await ran(7, { config })).toBe(1);
    expect(await ran(7, { config, lastRound: false })).toBe(0);
    expect(await ran(3, { lastRound: true })).toBe(1);
    expect(await ran(20, {})).toBe(1);
  });

  it("runs what is left of a round by name and keeps what the others found", async () => {
    const context = new TrainingContext({ currentRound: 1 });
    const evaluation = [{ type: "loss" }, { type: "declared", every: 5, value: 2 }];
    await outcomes(evaluation, { context });
    expect(context.state.get("evaluation_status")).not.toHaveProperty("declared");
    await outcomes(evaluation, { context, names: ["declared"] });
    expect(context.state.get("evaluation_results")).toMatchObject({
      loss: { primary_value: 1 },
      declared: { primary_value: 2 },
    });
    expect(context.state.get("evaluation_primary")).toEqual({ evaluator: "loss", metric: "loss", value: 1 });
  });

  it("keeps columns to their owners over rounds where the host keeps the claims", async () => {
    registry.register("changing", () => ({
      evaluate: ({ round }) => ({
        evaluator: "c",
        primaryMetric: "m",
        metrics: { m: 1, ...(round === 2 && { "second loss": 1 }) },
      }),
    }));
    const evaluation = [{ type: "changing" }, { type: "loss", name: "second" }];
    const kept = new ColumnClaims(tableEntries({ evaluation }));
    const round = async (currentRound: number, claims?: ColumnClaims) =>
      (await outcomes(evaluation, { claims, context: new TrainingContext({ currentRound }) })).map(
        ({ status, error }) => error?.message ?? status,
      );
    expect(await round(1, kept)).toEqual(["ok", "ok"]);
    expect(await round(2, kept)).toEqual([
      expect.stringContaining('evaluation_second_loss, which belongs to the evaluator "second"'),
      "ok",
    ]);
    // Without them the first one to give the column has it.
    expect(await round(2)).toEqual([
      "ok",
      expect.stringContaining('evaluation_second_loss, which belongs to the evaluator "changing"'),
    ]);
    registry.unregister("changing");
  });
});

describe("a timeout", () => {
  it("ends the wait for what never settles, and aborts its signal with the reason", async () => {
    let signal: AbortSignal | undefined;
    registry.register("endless", () => ({
      evaluate(request) {
        signal = request.signal;
        return new Promise(() => {});
      },
    }));
    const [endless, next] = await outcomes([{ type: "endless", timeout: 0.01 }, { type: "loss" }]);
    expect(endless).toMatchObject({ status: "timeout", error: { code: "EVALUATION_TIMEOUT" }, result: null });
    expect(endless?.reason).toContain("0.01 s");
    expect(signal?.aborted).toBe(true);
    expect(signal?.reason).toMatchObject({ code: "EVALUATION_TIMEOUT" });
    expect(next?.status).toBe("ok");
    registry.unregister("endless");
  });

  it("is a timeout also where the evaluator reacts to its signal, with an error or a late result", async () => {
    const onAbort =
      (settle: (resolve: (value: never) => void, reject: (error: Error) => void) => void) => () => ({
        evaluate: ({ signal }: { signal: AbortSignal }) =>
          new Promise<never>((resolve, reject) =>
            signal.addEventListener("abort", () => settle(resolve, reject), { once: true }),
          ),
      });
    registry.register(
      "rejects",
      onAbort((_, reject) => reject(new Error("aborted"))),
    );
    registry.register(
      "late",
      onAbort((resolve) => resolve({ evaluator: "l", primaryMetric: "a", metrics: { a: 1 } } as never)),
    );
    const all = await outcomes([
      { type: "rejects", timeout: 0.01 },
      { type: "late", timeout: 0.01 },
    ]);
    expect(all.map(({ status }) => status)).toEqual(["timeout", "timeout"]);
    registry.unregister("rejects");
    registry.unregister("late");
  });

  it("covers a factory that never settles", async () => {
    registry.register("stuck", () => new Promise(() => {}));
    expect((await outcomes({ type: "stuck", timeout: 0.01 }))[0]?.status).toBe("timeout");
    registry.unregister("stuck");
  });

  it("counts a result as late that came after a blocked thread", async () => {
    const clock = manualClock();
    registry.register("blocks", () => ({
      evaluate: () => {
        clock.advance(2001);
        return { evaluator: "b", primaryMetric: "a", metrics: { a: 1 } };
      },
    }));
    expect((await outcomes({ type: "blocks", timeout: 2 }, { clock }))[0]).toMatchObject({
      status: "timeout",
      durationSeconds: 2.001,
    });
    expect((await outcomes({ type: "blocks", timeout: 3 }, { clock }))[0]?.status).toBe("ok");
    registry.unregister("blocks");
  });

  it("longer than any timer is none", async () => {
    expect((await outcomes({ type: "loss", timeout: 1e9 }))[0]?.status).toBe("ok");
  });
});

describe("a run that is stopped", () => {
  it("ends the round with the signal's error and blames no evaluator", async () => {
    const controller = new AbortController();
    registry.register("stops", () => ({
      evaluate({ signal }) {
        controller.abort(new Error("Ctrl-C"));
        return new Promise((_, reject) => {
          reject(signal.reason);
        });
      },
    }));
    const context = new TrainingContext();
    const stopped = outcomes([{ type: "loss" }, { type: "stops" }], { context, signal: controller.signal });
    await expect(stopped).rejects.toMatchObject({ code: "INTERRUPTED" });
    expect(Object.keys(context.state.get("evaluation_status") as object)).toEqual(["loss"]);
    registry.unregister("stops");
  });

  it("does so whatever the evaluator throws while the run is stopped", async () => {
    const controller = new AbortController();
    registry.register("breaks", () => ({
      evaluate() {
        controller.abort("enough");
        throw new Error("boom");
      },
    }));
    await expect(outcomes({ type: "breaks" }, { signal: controller.signal })).rejects.toMatchObject({
      code: "INTERRUPTED",
      cause: "enough",
    });
    registry.unregister("breaks");
  });

  it("begins nothing where it was stopped before, and keeps an error with a code", async () => {
    const signal = AbortSignal.abort(new ElenchusError("QUORUM_MISSED", "too few"));
    await expect(outcomes({ type: "loss" }, { signal })).rejects.toMatchObject({ code: "QUORUM_MISSED" });
  });
});

describe("outcomes from elsewhere", () => {
  it("rebuild the state that a dead worker had, and take their columns", async () => {
    const config = { evaluation: [{ type: "loss" }, { type: "declared", value: 3, fail_on_error: true }] };
    const original = new TrainingContext({ currentRound: 1 });
    const [loss] = await outcomes(config.evaluation, { context: original });
    const [, second] = tableEntries(config);
    const died = failedOutcome(second!, {
      status: "failed",
      code: "WORKER_DIED",
      message: "exit 137",
      durationSeconds: 4,
    });

    const state = new Map<string, unknown>([["token_count", 1]]);
    const claims = new ColumnClaims(tableEntries(config));
    const unknown = { ...died, name: "not configured any more" };
    applyOutcomes(state, config, [loss!, died, unknown], claims);
    expect(Object.fromEntries(state)).toMatchObject({
      token_count: 1,
      evaluation_results: { loss: { primary_value: 1 } },
      evaluation_primary: { evaluator: "loss", metric: "loss", value: 1 },
      evaluation_status: {
        loss: { status: "ok" },
        declared: { status: "failed", reason: "exit 137", duration: 4 },
      },
    });
    expect(state.get("evaluation_status")).not.toHaveProperty("not configured any more");
    expect(() => claims.claim(second!, { metrics: { x: 1 }, details: {} })).not.toThrow();
    expect(strictFailure([loss!, died])?.message).toContain("exit 137");
  });

  it("are plain data: nothing in the state is shared with them", async () => {
    const config = { evaluation: { type: "loss" } };
    const [loss] = await outcomes(config.evaluation);
    const state = new Map<string, unknown>();
    applyOutcomes(state, config, [loss!]);
    loss!.result!.metrics.loss = 99;
    expect(state.get("evaluation_results")).toMatchObject({ loss: { metrics: { loss: 1 } } });
  });

  it("name what ran out of time", () => {
    const entry = { name: "slow", type: "slow", failOnError: true };
    const late = failedOutcome(entry, {
      status: "timeout",
      code: "EVALUATION_TIMEOUT",
      message: "late",
      durationSeconds: 1,
    });
    expect(strictFailure([late])?.message).toContain('The evaluator "slow" ran out of time: late');
  });
});
