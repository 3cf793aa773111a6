import { afterEach, describe, expect, it } from "vitest";
import type { EvaluationOutcome } from "../../src/evaluators/index.js";
import { createClientEvaluationBook } from "../../src/server/clientEvaluations.js";
import type { TestTask, TrainTask } from "../../src/trainers/index.js";
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

const found = (name: string, score: number, more: Partial<EvaluationOutcome> = {}) =>
  outcomeOf(name, {
    result: { ...outcomeOf(name).result!, metrics: { score }, primary_value: score },
    ...more,
  });
const failed = (name: string, status: "failed" | "timeout" = "failed") =>
  outcomeOf(name, {
    status,
    reason: "no luck",
    error: { code: "EVALUATION_FAILED", message: "no luck" },
    result: null,
  });

/** Clients 1 and 2 of two, of 10 and 20 samples, one round, and what their evaluators find. */
async function oneRound(
  evaluation: object | object[],
  onClient: (task: TrainTask) => EvaluationOutcome[],
  more: Partial<FakeTraining> = {},
): Promise<TestFederation> {
  const config = configOf({
    clients: { total_clients: 2, per_round: 2, do_test: true },
    trainer: { rounds: 1 },
    evaluation,
  });
  const training: FakeTraining = {
    train: (task) => ({ ...addsItsNumber(task), evaluations: onClient(task) }),
    evaluations: () => [found("e", 0.9)],
    ...more,
  };
  federation = await startFederation(config, { training });
  federation.client(1);
  federation.client(2);
  await federation.server.done;
  return federation;
}

describe("evaluators on clients", () => {
  it("are aggregated over clients by their samples", async () => {
    const { rows } = await oneRound({ type: "e", on_clients: true }, ({ clientId }) => [
      found("e", clientId),
    ]);
    // 10 and 20 samples: (1 * 1 + 2 * 2) / 3; variance (1 * (2/3)^2 + 2 * (1/3)^2) / 3 = 2/9.
    const [over] = rows[0]!.clientEvaluations!;
    expect(over).toMatchObject({ name: "e", metrics: [{ metric: "score", exact: false, min: 1, max: 2 }] });
    expect(over!.metrics[0]!.value).toBeCloseTo(5 / 3, 12);
    expect(over!.metrics[0]!.std).toBeCloseTo(Math.sqrt(2 / 9), 12);
  });

  it("leave those out that failed, and the log says so once", async () => {
    const { rows, logs } = await oneRound({ type: "e", on_clients: true }, ({ clientId }) => [
      clientId === 2 ? failed("e", "timeout") : found("e", 4),
    ]);
    expect(rows[0]!.clientEvaluations![0]!.metrics[0]).toMatchObject({ value: 4, std: 0 });
    expect(rows[0]!.evaluations[0]!.status).toBe("ok");
    expect(logs.filter((line) => line.includes("failed on 1 of 2 clients"))).toEqual([
      expect.stringMatching(/^warn: .*"e".*client 2.*no luck/),
    ]);
  });

  it("end the run with fail_on_error, once the row has what was measured and says so", async () => {
    const strict = { type: "e", on_clients: true, fail_on_error: true, target: 0.5 };
    const { rows, checkpoints, server } = await oneRound(
      strict,
      ({ clientId }) => [clientId === 2 ? failed("e", "timeout") : found("e", 4)],
      { evaluations: () => [found("e", 0.9, { failOnError: true, targetReached: true })] },
    );
    const summary = await server.done;
    expect(summary).toMatchObject({ status: "failed", error: { code: "EVALUATION_FAILED" } });
    expect(summary.reason).toMatch(/ran out of time: on client 2: no luck/);
    expect(rows[0]!.evaluations[0]).toMatchObject({ status: "timeout", result: { metrics: { score: 0.9 } } });
    expect(checkpoints).toHaveLength(1);
  });

  it("end the run with fail_on_error too where the server had nothing to evaluate", async () => {
    const strict = { type: "e", on_clients: true, fail_on_error: true };
    const { rows, server } = await oneRound(strict, () => [failed("e")], { evaluations: () => [] });
    expect(await server.done).toMatchObject({ status: "failed", error: { code: "EVALUATION_FAILED" } });
    expect(rows[0]!.evaluations[0]).toMatchObject({ name: "e", status: "failed", result: null });
  });

  it("count for nothing where the configuration does not ask for them", async () => {
    const { rows } = await oneRound({ type: "e" }, () => [found("e", 4), found("other", 5)]);
    expect(rows[0]!.clientEvaluations).toBeUndefined();
  });

  it("bring no end of metrics into a record", () => {
    const book = createClientEvaluationBook(configOf({ evaluation: { type: "e", on_clients: true } }));
    const client = (from: number) => ({
      clientId: 1,
      numSamples: 1,
      trainLoss: null,
      scalar: null,
      trainingTime: 1,
      commTime: 1,
      totalTime: 1,
      evaluations: [
        {
          name: "e",
          status: "ok" as const,
          reason: null,
          code: null,
          metrics: Array.from({ length: 600 }, (_, index) => ({
            name: `m${from + index}`,
            value: 1,
            higher_is_better: null,
            sum: null,
          })),
        },
      ],
    });
    expect(book.take([client(0)]).warnings).toEqual([]);
    const second = book.take([client(600)]);
    expect(second.evaluations[0]!.metrics).toHaveLength(400);
    expect(second.warnings[0]).toContain("200 more are left out");
    // Those that are known stay.
    expect(book.take([client(0)]).evaluations[0]!.metrics).toHaveLength(600);
  });

  it("and the clients' own tests are known to the server's evaluators", async () => {
    const seen: unknown[] = [];
    await oneRound({ type: "e", on_clients: true }, ({ clientId }) => [found("e", clientId)], {
      evaluations: ({ state }: TestTask) => {
        seen.push(state.get("client_results"));
        return [found("e", 0.9)];
      },
    });
    expect(seen).toEqual([
      [1, 2].map((client) => ({
        client_id: client,
        num_samples: 10 * client,
        train_loss: 1 / client,
        scalar: null,
        evaluations: { e: { score: client } },
      })),
    ]);
  });
});

describe("a logical client's state", () => {
  it("is that of the round after which its update was aggregated, not of one that was given up", async () => {
    const config = configOf({ clients: { total_clients: 1, per_round: 1 }, trainer: { rounds: 3 } });
    const rounds: (number | null | undefined)[] = [];
    federation = await startFederation(config, {
      training: {
        train: (task) => {
          rounds.push(task.lastRound);
          return addsItsNumber(task);
        },
      },
    });
    federation.client(1);
    await federation.server.done;
    expect(rounds).toEqual([null, 1, 2]);
    expect(federation.checkpoints.at(-1)!.clientRounds).toEqual(new Map([[1, 3]]));
  });
});
