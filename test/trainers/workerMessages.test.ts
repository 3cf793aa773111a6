import { expect, test } from "vitest";
import { ElenchusError } from "../../src/base/index.js";
import { fromWorker, receivedError, sentError, toWorker } from "../../src/trainers/workerMessages.js";

const weights = new Map([["w", { dtype: "float32", shape: [1], data: Float32Array.of(1) }]]);
const scalar = { name: "mse", value: Number.POSITIVE_INFINITY, higherIsBetter: false };

test("keeps maps by hostile names as they are", () => {
  const metrics = JSON.parse('{"__proto__": 1, "constructor": 2}');
  const outcome = {
    name: "a",
    type: "a",
    status: "ok",
    result: { metrics },
    details: metrics,
    sums: {},
  };
  const parsed = fromWorker.parse({ kind: "evaluation_done", id: 1, outcome, state: new Map() });

  expect(parsed).toMatchObject({ kind: "evaluation_done" });
  const { details } = (parsed as Extract<typeof parsed, { kind: "evaluation_done" }>).outcome;
  expect(Object.entries(details)).toEqual([
    ["__proto__", 1],
    ["constructor", 2],
  ]);
});

test("lets the numbers of a diverged model through", () => {
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
    const message = { kind: "scalar", id: 1, scalar: { ...scalar, value }, state: new Map() };
    expect(fromWorker.safeParse(message).success).toBe(true);
  }
});

test.each([
  ["an unknown kind", { kind: "other", id: 1 }],
  ["no object", "ready"],
  ["no id", { kind: "weights", weights }],
  ["weights that are no map", { kind: "weights", id: 1, weights: { w: 1 } }],
  [
    "weights without an array",
    { kind: "weights", id: 1, weights: new Map([["w", { dtype: "float32", shape: [1] }]]) },
  ],
  ["a state that is no map", { kind: "scalar", id: 1, scalar, state: {} }],
  ["a state with keys that are no strings", { kind: "scalar", id: 1, scalar, state: new Map([[1, 1]]) }],
  [
    "a scalar that is no number",
    { kind: "scalar", id: 1, scalar: { ...scalar, value: "1" }, state: new Map() },
  ],
  [
    "an outcome of unknown status",
    { kind: "evaluation_done", id: 1, outcome: { name: "a", type: "a", status: "fine" }, state: new Map() },
  ],
])("refuses %s", (_, message) => {
  expect(fromWorker.safeParse(message).success).toBe(false);
});

test("refuses tasks that are incomplete", () => {
  const task = { round: 1, clientId: 1, weights, test: false, state: new Map() };

  expect(toWorker.safeParse({ kind: "train", id: 1, task }).success).toBe(true);
  expect(toWorker.safeParse({ kind: "train", id: 1, task: { ...task, round: "1" } }).success).toBe(false);
  expect(toWorker.safeParse({ kind: "test", id: 1, task }).success).toBe(false);
});

test("carries an error with its code, message and details", () => {
  const error = new ElenchusError("WEIGHTS_INVALID", "no fit", { details: { model: "line" } });

  expect(receivedError(structuredClone(sentError(error)))).toEqual(error);
  expect(receivedError(sentError("a string"))).toMatchObject({ code: "INTERNAL", message: "a string" });
  expect(receivedError({ code: "constructor", message: "m", details: {} }).code).toBe("INTERNAL");
});
