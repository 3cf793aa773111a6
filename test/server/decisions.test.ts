import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createLogger, createRandom, silentLogger } from "../../src/base/index.js";
import { type ClientResult, scalarOfClients, weightedMoments } from "../../src/server/clientResults.js";
import { checkpointFolder, LOGGED_ITEMS } from "../../src/server/index.js";
import { itemsOf, type RoundFacts } from "../../src/server/loggedItems.js";
import { createRoundLoop } from "../../src/server/roundLoop.js";
import type { Effect } from "../../src/server/rounds/effects.js";
import { newFederation } from "../../src/server/rounds/federation.js";
import { createSelection } from "../../src/server/selection.js";
import { nextAfter, type RoundVerdict, targetReached } from "../../src/server/stopConditions.js";
import type { Checkpoint } from "../../src/weights/index.js";
import { outcomeOf, weightsOf } from "./support/federation.js";
import { joined, RULES } from "./support/machine.js";

const verdict = (changed: Partial<RoundVerdict>): RoundVerdict => ({
  round: 2,
  rounds: 5,
  targetAccuracy: undefined,
  scalar: { name: "accuracy", value: 0.9, higherIsBetter: true },
  evaluations: [],
  ...changed,
});
const perplexity = (value: number) => ({ name: "perplexity", value, higherIsBetter: false });

describe("a run", () => {
  it.each([
    ["higher is better, reached exactly", { targetAccuracy: 0.9 }, true],
    ["higher is better, not reached", { targetAccuracy: 0.91 }, false],
    ["lower is better, reached", { targetAccuracy: 20, scalar: perplexity(19.5) }, true],
    ["lower is better, not reached", { targetAccuracy: 20, scalar: perplexity(20.5) }, false],
    ["a perplexity, reached exactly", { targetPerplexity: 20, scalar: perplexity(20) }, true],
    ["a perplexity, not reached", { targetPerplexity: 20, scalar: perplexity(20.5) }, false],
    ["a perplexity, of another metric", { targetPerplexity: 20 }, false],
    ["a perplexity that is not a number", { targetPerplexity: 20, scalar: perplexity(Number.NaN) }, false],
    ["not a number", { targetAccuracy: 0.9, scalar: perplexity(Number.NaN) }, false],
    ["no scalar", { targetAccuracy: 0.9, scalar: null }, false],
    ["no target", {}, false],
    [
      "an evaluator's target",
      { evaluations: [outcomeOf("a"), outcomeOf("b", { targetReached: true })] },
      true,
    ],
    ["the untrained model", { round: 0, targetAccuracy: 0.1 }, false],
  ])("knows its target: %s", (_case, changed, reached) => {
    expect(targetReached(verdict(changed)) !== null).toBe(reached);
    expect(nextAfter(verdict(changed)).kind).toBe(reached ? "end" : "continue");
  });

  it("ends after its last round", () => {
    expect(nextAfter(verdict({ round: 5 }))).toMatchObject({ kind: "end", ending: { status: "completed" } });
    expect(nextAfter(verdict({ round: 4 }))).toEqual({ kind: "continue" });
  });

  it("fails on strict failures only, also in its last round and with a target reached", () => {
    const lax = outcomeOf("lax", { status: "failed" });
    const partial = outcomeOf("partial", { status: "partial", failOnError: true });
    expect(nextAfter(verdict({ evaluations: [lax, partial] }))).toEqual({ kind: "continue" });
    const error = { code: "EVALUATION_FAILED", message: "boom" };
    const broken = outcomeOf("broken", { status: "failed", failOnError: true, reason: "boom", error });
    const slow = outcomeOf("slow", { status: "timeout", failOnError: true, reason: "No answer in 1 s." });
    const next = nextAfter(verdict({ round: 5, targetAccuracy: 0.1, evaluations: [lax, broken, slow] }));
    expect(next).toMatchObject({ ending: { status: "failed", error: { code: "EVALUATION_FAILED" } } });
    expect(next.kind === "end" && next.ending.reason).toBe(
      'The evaluator "broken" failed: boom. The evaluator "slow" ran out of time: No answer in 1 s. With fail_on_error = false the run would go on.',
    );
  });
});

describe("the items of a round", () => {
  const client = (changed: Partial<ClientResult>): ClientResult => ({
    clientId: 1,
    numSamples: 1,
    trainLoss: null,
    scalar: null,
    trainingTime: 0,
    commTime: 0,
    totalTime: 0,
    ...changed,
  });
  const facts = (changed: Partial<RoundFacts>): RoundFacts => ({
    round: 1,
    scalar: null,
    scalarStd: null,
    clients: [],
    elapsed: 1.5,
    payloadBytes: 3 * 2 ** 20,
    roundBytes: 2 ** 19,
    ...changed,
  });

  it("are those that can be asked for", () => {
    expect(Object.keys(itemsOf(facts({})))).toEqual([...LOGGED_ITEMS]);
    expect(itemsOf(facts({}))).toMatchObject({ comm_overhead: 3, round_comm_overhead: 0.5 });
  });

  it("take the longest of the clients' times", () => {
    const clients = [
      client({ trainingTime: 5, commTime: 1, totalTime: 6.5 }),
      client({ trainingTime: 2, commTime: 2, totalTime: 5 }),
      client({ trainingTime: 9, commTime: 0, totalTime: 3 }),
    ];
    expect(itemsOf(facts({ clients }))).toMatchObject({ processing_time: 1, comm_time: 2, round_time: 6.5 });
  });

  it("weigh training losses by samples, without those that have none", () => {
    const clients = [
      client({ trainLoss: 1, numSamples: 1 }),
      client({ trainLoss: 2, numSamples: 3 }),
      client({ trainLoss: null, numSamples: 100 }),
    ];
    expect(itemsOf(facts({ clients })).train_loss).toBe(1.75);
    expect(itemsOf(facts({ clients: [client({ trainLoss: 1, numSamples: 0 })] })).train_loss).toBeNull();
  });

  it("carry the metric under its own name too, unless the name is another item's", () => {
    const scalar = { name: "Mean Squared-Error", value: 4, higherIsBetter: false };
    expect(itemsOf(facts({ scalar, scalarStd: 0.5 }))).toMatchObject({
      accuracy: 4,
      accuracy_std: 0.5,
      mean_squared_error: 4,
      mean_squared_error_std: 0.5,
    });
    const clash = { name: "round", value: 9, higherIsBetter: true };
    expect(itemsOf(facts({ scalar: clash })).round).toBe(1);
    const nameless = { name: "🙂", value: 9, higherIsBetter: true };
    expect(Object.keys(itemsOf(facts({ scalar: nameless })))).toEqual([...LOGGED_ITEMS]);
  });

  it("hold no NaN and no infinity", () => {
    const scalar = { name: "accuracy", value: Number.NaN, higherIsBetter: true };
    const clients = [client({ trainLoss: Number.POSITIVE_INFINITY })];
    expect(itemsOf(facts({ scalar, clients }))).toMatchObject({ accuracy: null, train_loss: null });
  });

  it("come from weighted moments, as worked by hand", () => {
    // Values 1 and 4 with weights 2 and 1: mean 2, variance (2 * 1 + 1 * 4) / 3 = 2.
    const moments = weightedMoments([
      { value: 1, weight: 2 },
      { value: 4, weight: 1 },
    ]);
    expect(moments?.mean).toBe(2);
    expect(moments?.std).toBeCloseTo(Math.SQRT2, 15);
    expect(weightedMoments([])).toBeNull();
    expect(scalarOfClients([client({})])).toBeNull();
  });
});

describe("selection", () => {
  it("draws without replacement and goes on from its state", () => {
    const pool = [3, 5, 8, 13, 21];
    const whole = createSelection(7);
    const first = [whole.draw(pool, 3), whole.draw(pool, 3)];
    const state = whole.state();
    const then = [whole.draw(pool, 5), whole.draw(pool, 2)];
    const resumed = createSelection(7, state);
    expect([resumed.draw(pool, 5), resumed.draw(pool, 2)]).toEqual(then);
    for (const drawn of [...first, ...then]) {
      expect(new Set(drawn).size).toBe(drawn.length);
      for (const client of drawn) expect(pool).toContain(client);
    }
    expect(createSelection(7).draw(pool, 3)).toEqual(first[0]);
    expect(createSelection(8).draw(pool, 5)).not.toEqual(createSelection(7).draw(pool, 5));
  });

  it("favours nobody", () => {
    const selection = createSelection(1);
    const counts = new Map<number, number>();
    const pool = [1, 2, 3, 4, 5];
    for (let round = 0; round < 5000; round++) {
      for (const client of selection.draw(pool, 2)) counts.set(client, (counts.get(client) ?? 0) + 1);
    }
    // Expected 2000 each; the standard deviation of a count is sqrt(5000 * 0.4 * 0.6) = 34.6.
    for (const client of pool) expect(Math.abs(counts.get(client)! - 2000)).toBeLessThan(5 * 34.6);
  });
});

describe("the round loop", () => {
  it("ends the run when an effect cannot be started", () => {
    const performed: Effect[] = [];
    const loop = createRoundLoop(newFederation({ ...RULES, awaited: 1 }, 1), (effect) => {
      performed.push(effect);
      if (effect.kind === "select") throw new TypeError("no generator");
    });
    loop.dispatch(joined(1));
    expect(loop.state.stage).toMatchObject({ phase: "closed", ending: { error: { code: "INTERNAL" } } });
    expect(performed.at(-1)).toMatchObject({ kind: "close", ending: { status: "failed" } });
  });

  it("does not go round in circles when the run cannot even be closed", () => {
    const loop = createRoundLoop(newFederation({ ...RULES, awaited: 1 }, 1), () => {
      throw new TypeError("nothing works");
    });
    expect(() => loop.dispatch(joined(1))).toThrow("nothing works");
    expect(loop.state.stage.phase).toBe("closed");
    expect(() => loop.dispatch(joined(2))).not.toThrow();
  });

  it("takes events one after the other, also those that come in between", () => {
    const seen: string[] = [];
    const loop = createRoundLoop(newFederation({ ...RULES, awaited: 1 }, 1), (effect) => {
      seen.push(`${effect.kind} in ${loop.state.stage.phase}`);
      if (effect.kind === "select") loop.dispatch({ kind: "selected", clients: [2] });
    });
    loop.dispatch(joined(1));
    expect(seen.slice(0, 3)).toEqual([
      "disarm_connect in selecting",
      "select in selecting",
      "open in collecting",
    ]);
  });
});

describe("the folder of checkpoints", () => {
  const checkpoint = (round: number, accuracy: number, score: number): Checkpoint => ({
    runId: "run",
    model: "lenet5",
    round,
    weights: weightsOf(round),
    row: { round, items: {}, evaluations: [], clients: [] },
    state: new Map<string, unknown>([["f", () => {}]]),
    random: { selection: createRandom(1, "selection").state() },
    clocks: {},
    scalar: { metric: "accuracy", value: accuracy, higherIsBetter: true },
    primary: { metric: "loss", value: score, higherIsBetter: false },
  });

  it("keeps the newest and the best ones, and warns once of what it cannot hold", async () => {
    const folder = mkdtempSync(join(tmpdir(), "elenchus-checkpoints-"));
    const lines: string[] = [];
    try {
      const sink = checkpointFolder(
        folder,
        2,
        createLogger("warn", (line) => lines.push(line)),
      );
      const accuracies = [0.1, 0.9, 0.5, 0.6, 0.7, 0.8];
      const losses = [3, 2, 1, 4, 5, 6];
      for (let round = 1; round <= 6; round++) {
        await sink.save(checkpoint(round, accuracies[round - 1]!, losses[round - 1]!));
      }
      const kept = readdirSync(folder).sort();
      expect(kept).toEqual([2, 3, 5, 6].map((round) => `checkpoint_${round}.safetensors`));
      expect(lines).toHaveLength(1);
      expect(lines[0]).toContain('"f"');
      await checkpointFolder(folder, 1, silentLogger).save(checkpoint(7, 0, 9));
      expect(readdirSync(folder)).toHaveLength(3);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
