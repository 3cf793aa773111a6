import { z } from "zod";
import { ElenchusError, ERROR_CATALOGUE, type ErrorCode, LOG_LEVELS, messageOf } from "../base/index.js";
import type { Config } from "../config/index.js";
import { EVALUATION_STATUSES, type EvaluationOutcome } from "../evaluators/index.js";
import type { WeightArray, Weights } from "../weights/index.js";

/*
 * What a worker and its parent say to each other over the IPC channel. Structured clones carry maps and
 * typed arrays as they are. Maps by names from outside are checked but not rebuilt: a rebuilt plain object
 * would lose a key `__proto__`.
 */

const weightArray = z.custom<WeightArray>(
  (value) =>
    isObject(value) &&
    (value.dtype === "float32" || value.dtype === "int32" || value.dtype === "uint8") &&
    Array.isArray(value.shape) &&
    ArrayBuffer.isView(value.data),
);
const weights = z.custom<Weights>(
  (value) =>
    value instanceof Map &&
    [...value].every(([name, array]) => typeof name === "string" && weightArray.safeParse(array).success),
  "expected a map of named typed arrays",
);
const state = z.custom<ReadonlyMap<string, unknown>>(
  (value) => value instanceof Map && [...value.keys()].every((key) => typeof key === "string"),
  "expected a map with string keys",
);

/** NaN and the infinities too: a diverged model's numbers travel like others. */
const number = z.custom<number>((value) => typeof value === "number", "expected a number");

const scalar = z.object({ name: z.string(), value: number, higherIsBetter: z.boolean() });
const outcome = z.custom<EvaluationOutcome>(
  (value) =>
    isObject(value) &&
    typeof value.name === "string" &&
    typeof value.type === "string" &&
    (EVALUATION_STATUSES as readonly unknown[]).includes(value.status) &&
    (value.result === null || isObject(value.result)) &&
    isObject(value.details) &&
    isObject(value.sums),
  "expected the outcome of an evaluator",
);
const error = z.object({
  code: z.string(),
  message: z.string(),
  details: z.custom<Record<string, unknown>>(isObject),
});
const progress = z.object({
  stage: z.enum(["train", "test", "evaluate"]),
  clientId: z.int(),
  done: number,
  total: number,
  note: z.string().optional(),
  pace: z
    .object({ done: number, total: number, rate: number.nullable(), timeLeft: number.nullable() })
    .optional(),
});

const trainTask = z.object({
  round: z.int(),
  clientId: z.int(),
  weights,
  test: z.boolean(),
  state,
  lastRound: z.int().nullable().optional(),
  samplesFolder: z.string().optional(),
});
const testTask = z.object({
  round: z.int(),
  weights,
  lastRound: z.boolean(),
  state,
  samplesFolder: z.string().optional(),
  answersFolder: z.string().optional(),
});
const shardTask = z.object({
  round: z.int(),
  weights,
  state,
  name: z.string(),
  index: z.int(),
  of: z.int(),
  answersFolder: z.string().optional(),
});
const evaluateTask = testTask.extend({ names: z.array(z.string()), scalar: scalar.nullable() });

/** Messages to a worker. */
export const toWorker = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("start"),
    config: z.custom<Config>(isObject),
    imports: z.array(z.string()),
    role: z.enum(["server", "client"]),
    logLevel: z.enum(LOG_LEVELS),
  }),
  z.object({ kind: z.literal("initial_weights"), id: z.int() }),
  z.object({ kind: z.literal("train"), id: z.int(), task: trainTask }),
  z.object({ kind: z.literal("test"), id: z.int(), task: testTask }),
  z.object({ kind: z.literal("evaluate"), id: z.int(), task: evaluateTask }),
  z.object({ kind: z.literal("shard"), id: z.int(), task: shardTask }),
  z.object({ kind: z.literal("cancel"), id: z.int(), error }),
]);
export type ToWorker = z.output<typeof toWorker>;

const trainOutcome = z.object({
  weights,
  numSamples: z.int().nonnegative(),
  trainLoss: number.nullable(),
  trainingTime: number,
  scalar: scalar.nullable(),
  evaluations: z.array(outcome).optional(),
  state,
});
const testOutcome = z.object({ scalar: scalar.nullable(), evaluations: z.array(outcome), state });

/** Messages from a worker. */
export const fromWorker = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("ready"), backend: z.string(), evaluators: z.array(z.string()) }),
  z.object({ kind: z.literal("refused"), error }),
  z.object({ kind: z.literal("log"), level: z.enum(LOG_LEVELS), message: z.string() }),
  z.object({ kind: z.literal("progress"), id: z.int(), progress }),
  z.object({ kind: z.literal("scalar"), id: z.int(), scalar, state }),
  z.object({ kind: z.literal("evaluation_started"), id: z.int(), name: z.string(), timeout: number }),
  z.object({ kind: z.literal("evaluation_done"), id: z.int(), outcome, state }),
  z.object({ kind: z.literal("weights"), id: z.int(), weights }),
  z.object({ kind: z.literal("trained"), id: z.int(), outcome: trainOutcome }),
  z.object({ kind: z.literal("tested"), id: z.int(), outcome: testOutcome }),
  z.object({ kind: z.literal("sharded"), id: z.int(), result: z.unknown() }),
  z.object({ kind: z.literal("failed"), id: z.int(), error }),
]);
export type FromWorker = z.output<typeof fromWorker>;

/** An error as it travels. */
export type SentError = z.output<typeof error>;

/** An error as it travels; whatever was thrown becomes one with a code. */
export function sentError(thrown: unknown): SentError {
  if (thrown instanceof ElenchusError) {
    return { code: thrown.code, message: thrown.message, details: { ...thrown.details } };
  }
  return { code: "INTERNAL", message: messageOf(thrown), details: {} };
}

/** The error that was sent. */
export function receivedError({ code, message, details }: SentError): ElenchusError {
  return new ElenchusError(Object.hasOwn(ERROR_CATALOGUE, code) ? (code as ErrorCode) : "INTERNAL", message, {
    details,
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
