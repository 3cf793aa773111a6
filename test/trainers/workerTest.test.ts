import { describe, expect, test } from "vitest";
import { createLogger, ElenchusError, manualClock } from "../../src/base/index.js";
import { ColumnClaims, type EvaluationOutcome, tableEntries } from "../../src/evaluators/index.js";
import type { FromWorker } from "../../src/trainers/workerMessages.js";
import { testInWorker } from "../../src/trainers/workerTest.js";
import { tinyConfig } from "./fixtures/tinyConfig.js";

const config = tinyConfig({
  evaluation: [
    { type: "first", timeout: 10 },
    { type: "second", timeout: 20, fail_on_error: true },
    { type: "third" },
  ],
});
const scalar = { name: "accuracy", value: 0.5, higherIsBetter: true };
const died = new ElenchusError("WORKER_DIED", "gone");
const late = new ElenchusError("WORKER_TIMEOUT", "too late");

function ok(name: string, metrics: Record<string, number> = { [`of_${name}`]: 1 }): EvaluationOutcome {
  const primary = Object.keys(metrics)[0]!;
  return {
    name,
    type: name,
    status: "ok",
    reason: null,
    durationSeconds: 1,
    error: null,
    result: {
      evaluator: name,
      primary_metric: primary,
      metrics,
      higher_is_better: {},
      metadata: {},
      artifacts: {},
      primary_value: metrics[primary]!,
    },
    details: {},
    sums: {},
    sampled: null,
    failOnError: false,
    primaryHigherIsBetter: null,
    targetReached: false,
  };
}

const state = (...marks: string[]) => new Map<string, unknown>(marks.map((mark) => [mark, true]));
const scalarWord = (...marks: string[]): FromWorker => ({
  kind: "scalar",
  id: 1,
  scalar,
  state: state(...marks),
});
const start = (name: string, timeout = 10): FromWorker => ({
  kind: "evaluation_started",
  id: 1,
  name,
  timeout,
});
const done = (outcome: EvaluationOutcome, ...marks: string[]): FromWorker => ({
  kind: "evaluation_done",
  id: 1,
  outcome,
  state: state(...marks),
});

/** What one worker says, and how it ends: by its answer's state, or by an error. */
interface Life {
  words: FromWorker[];
  end: Map<string, unknown> | ElenchusError;
}

/** Runs a test with workers that each live as written. */
async function run(lives: Life[], more: { hadWorked?: boolean; names?: string[]; stale?: object } = {}) {
  const asked: string[] = [];
  const sent: ReadonlyMap<string, unknown>[] = [];
  const deadlines: (number | undefined)[] = [];
  const log: string[] = [];
  let kills = 0;
  const stale = new Map<string, unknown>(Object.entries(more.stale ?? {}));
  const outcome = testInWorker({
    task: { round: 1, weights: new Map(), lastRound: true, state: stale },
    names: more.names,
    scalar: more.names ? scalar : null,
    config,
    claims: new ColumnClaims(tableEntries(config)),
    logger: createLogger("info", (line) => log.push(line)),
    clock: manualClock(),
    signal: new AbortController().signal,
    answer: 100,
    grace: 5,
    worker: {
      async ask(message, hear) {
        asked.push(
          message.kind === "test" ? "test" : `evaluate ${(message.task as { names: string[] }).names}`,
        );
        sent.push(message.task.state);
        const { words, end } = lives.shift()!;
        for (const word of words) deadlines.push(hear(word));
        if (end instanceof ElenchusError) throw end;
        const evaluations: EvaluationOutcome[] = [];
        return { kind: "tested", id: 1, outcome: { scalar, evaluations, state: end } };
      },
      hadWorked: () => more.hadWorked ?? false,
      kill: () => {
        kills += 1;
      },
    },
  });
  const settled = await outcome.then(
    (value) => ({ value, error: undefined }),
    (error: ElenchusError) => ({ value: undefined, error }),
  );
  return { ...settled, asked, sent, deadlines, log, kills: () => kills };
}

const statuses = (evaluations: readonly EvaluationOutcome[]) =>
  evaluations.map(({ name, status }) => `${name} ${status}`);

describe("a test in a worker", () => {
  test("gives what one worker hands over, each with the deadline it is due", async () => {
    const { value, asked, deadlines } = await run([
      {
        words: [
          scalarWord("a"),
          start("first"),
          done(ok("first"), "a", "b"),
          start("second", 20),
          done(ok("second"), "a", "b"),
          start("third", 3600),
          done(ok("third"), "a", "b"),
        ],
        end: state("a", "b", "end"),
      },
    ]);

    expect(asked).toEqual(["test"]);
    expect(value!.scalar).toEqual(scalar);
    expect(statuses(value!.evaluations)).toEqual(["first ok", "second ok", "third ok"]);
    expect([...value!.state.keys()]).toEqual(["a", "b", "end"]);
    // The testing strategy and the time between evaluators have 100 s, an evaluator its own and 5 s of grace.
    expect(deadlines).toEqual([100, 15, 100, 25, 100, 3605, 100]);
  });

  test("goes on in a new worker after the evaluator that took the old one with it", async () => {
    const { value, asked, sent } = await run([
      { words: [scalarWord("a"), start("first"), done(ok("first"), "a", "b"), start("second")], end: died },
      { words: [start("third"), done(ok("third"), "a", "b", "c")], end: state("a", "b", "c") },
    ]);

    expect(asked).toEqual(["test", "evaluate third"]);
    expect([...sent[1]!.keys()]).toEqual(["a", "b", "evaluation_status"]);
    expect(statuses(value!.evaluations)).toEqual(["first ok", "second failed", "third ok"]);
    expect(value!.evaluations[1]).toMatchObject({
      error: { code: "WORKER_DIED", message: "gone" },
      failOnError: true,
    });
    expect([...value!.state.keys()]).toEqual(["a", "b", "c", "evaluation_status"]);
  });

  test("says in the log that the run goes on, or ends where fail_on_error is true", async () => {
    const { log } = await run([
      { words: [scalarWord(), start("first")], end: died },
      { words: [start("second")], end: died },
      { words: [start("third"), done(ok("third"))], end: state() },
    ]);

    expect(log).toEqual([
      'The evaluator "first" failed: gone. The run goes on without its metrics; fail_on_error = true in its table would end it.',
      'The evaluator "second" failed. Its fail_on_error is true: the run ends when those after it have run.',
    ]);
  });

  test("calls it a timeout when the worker was ended for an evaluator", async () => {
    const { value } = await run([
      { words: [scalarWord(), start("first")], end: late },
      { words: [start("second"), done(ok("second")), start("third")], end: late },
    ]);

    expect(statuses(value!.evaluations)).toEqual(["first timeout", "second ok", "third timeout"]);
    expect(value!.evaluations[0]!.error!.code).toBe("EVALUATION_TIMEOUT");
  });

  test("blames nobody for a death between two evaluators", async () => {
    const { value, asked, log } = await run([
      { words: [scalarWord(), start("first"), done(ok("first"))], end: died },
      { words: [start("second"), done(ok("second")), start("third"), done(ok("third"))], end: died },
    ]);

    expect(asked).toEqual(["test", "evaluate second,third"]);
    expect(statuses(value!.evaluations)).toEqual(["first ok", "second ok", "third ok"]);
    expect(log).toEqual([]);
  });

  test("ends a worker in which an evaluator may still be at work", async () => {
    const stopped: EvaluationOutcome = { ...ok("first"), status: "timeout", result: null };
    const { value, kills } = await run([
      { words: [scalarWord(), start("first"), done(stopped)], end: died },
      { words: [start("second"), done(ok("second")), start("third"), done(ok("third"))], end: state() },
    ]);

    expect(kills()).toBe(1);
    expect(statuses(value!.evaluations)).toEqual(["first timeout", "second ok", "third ok"]);
  });

  test.each([
    ["dies", died],
    ["answers before that", state("late")],
  ])("hears nothing of what an ended worker still does, whether it %s", async (_, end) => {
    const stopped: EvaluationOutcome = { ...ok("first"), status: "timeout", result: null };
    const after = [start("second"), done(ok("second"), "late"), start("third")];
    const { value, asked, sent } = await run([
      { words: [scalarWord("a"), start("first"), done(stopped, "a"), ...after], end },
      { words: [start("second"), done(ok("second")), start("third"), done(ok("third"))], end: state("b") },
    ]);

    expect(asked).toEqual(["test", "evaluate second,third"]);
    expect([...sent[1]!.keys()]).toEqual(["a"]);
    expect(statuses(value!.evaluations)).toEqual(["first timeout", "second ok", "third ok"]);
    expect([...value!.state.keys()]).toEqual(["b"]);
  });

  test("needs no new worker when the ended one had nothing left to do", async () => {
    const stopped: EvaluationOutcome = { ...ok("third"), status: "timeout", result: null };
    const { value, asked } = await run(
      [{ words: [start("third"), done(stopped, "a")], end: state("late") }],
      {
        names: ["third"],
      },
    );

    expect(asked).toEqual(["evaluate third"]);
    expect(statuses(value!.evaluations)).toEqual(["third timeout"]);
    expect([...value!.state.keys()]).toEqual(["a"]);
  });

  test("fails what is left when a new worker does not get as far as an evaluator", async () => {
    const refused = new ElenchusError("IMPORT_FAILED", "cannot be loaded twice");
    const { value, log } = await run([
      { words: [scalarWord(), start("first")], end: died },
      { words: [], end: refused },
    ]);

    expect(value!.evaluations.map(({ error }) => error!.code)).toEqual([
      "WORKER_DIED",
      "IMPORT_FAILED",
      "IMPORT_FAILED",
    ]);
    expect(log).toHaveLength(3);
  });

  test("fails without a scalar, once more tried where the worker had worked before", async () => {
    const fresh = await run([{ words: [], end: died }]);
    const tried = await run(
      [
        { words: [], end: died },
        { words: [], end: late },
      ],
      { hadWorked: true },
    );
    const saved = await run(
      [
        { words: [], end: died },
        { words: [scalarWord()], end: state() },
      ],
      { hadWorked: true },
    );

    expect(fresh.error).toBe(died);
    expect(tried.asked).toEqual(["test", "test"]);
    expect(tried.error).toBe(late);
    expect(saved.value!.scalar).toEqual(scalar);
  });

  test("tries a test once more in a new worker where an earlier round's evaluators may have spoilt this one", async () => {
    const failure = new ElenchusError("TEST_FAILED", "no number");
    const saved = await run(
      [
        { words: [], end: failure },
        { words: [scalarWord()], end: state() },
      ],
      { hadWorked: true },
    );

    expect(saved.kills()).toBe(1);
    expect(saved.value!.scalar).toEqual(scalar);
  });

  test("passes on what the worker itself answers with, unless an evaluator is at work", async () => {
    const failure = new ElenchusError("TEST_FAILED", "no number");
    const between = [scalarWord(), start("first"), done(ok("first"))];

    expect((await run([{ words: [], end: failure }])).error).toBe(failure);
    expect((await run([{ words: [scalarWord()], end: failure }])).error).toBe(failure);
    expect((await run([{ words: between, end: failure }])).error).toBe(failure);
  });

  test("takes a worker that gives up while an evaluator is at work as that evaluator's failure", async () => {
    const failure = new ElenchusError("TEST_FAILED", "state is not iterable");
    const { value, asked, kills } = await run([
      { words: [scalarWord("a"), start("first")], end: failure },
      { words: [start("second"), done(ok("second")), start("third"), done(ok("third"))], end: state("b") },
    ]);

    expect(kills()).toBe(1);
    expect(asked).toEqual(["test", "evaluate second,third"]);
    expect(statuses(value!.evaluations)).toEqual(["first failed", "second ok", "third ok"]);
    expect(value!.evaluations[0]!.error).toEqual({ code: "TEST_FAILED", message: "state is not iterable" });
  });

  test("does not let two workers give one column to two evaluators", async () => {
    const { value, log } = await run([
      { words: [scalarWord(), start("first"), done(ok("first", { second_score: 1 }))], end: died },
      {
        words: [start("second"), done(ok("second", { score: 1 })), start("third"), done(ok("third"))],
        end: state("end"),
      },
    ]);

    // Later tables' columns carry their name: second's score is evaluation_second_score.
    expect(statuses(value!.evaluations)).toEqual(["first ok", "second failed", "third ok"]);
    expect(value!.evaluations[1]!.error!.code).toBe("RESULT_INVALID");
    expect(log).toHaveLength(1);
    const status = value!.state.get("evaluation_status") as Record<string, { status: string }>;
    expect(status.second!.status).toBe("failed");
  });

  test("clears what an earlier round left, unless only some evaluators are asked for", async () => {
    const stale = { evaluation_results: { old: {} }, kept: 1 };
    const whole = await run([{ words: [scalarWord()], end: state() }], { stale });
    const some = await run([{ words: [start("third"), done(ok("third"))], end: state() }], {
      stale,
      names: ["third"],
    });

    expect([...whole.sent[0]!.keys()]).toEqual(["kept"]);
    expect([...some.sent[0]!.keys()]).toEqual(["evaluation_results", "kept"]);
    expect(some.asked).toEqual(["evaluate third"]);
    expect(some.value!.scalar).toEqual(scalar);
    expect(statuses(some.value!.evaluations)).toEqual(["third ok"]);
  });
});
