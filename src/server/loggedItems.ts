import { columnName } from "../base/index.js";
import type { ScalarMetric } from "../trainers/index.js";
import { type ClientResult, weightedMoments } from "./clientResults.js";

/**
 * Items that a server can put into a row: what `results.types` may name, beside the test metric's own name
 * and `<metric>_std`.
 */
export const LOGGED_ITEMS = [
  /** From 1; 0 is the untrained model. */
  "round",
  /** The test scalar, whatever its metric is; without a server test the clients' sample-weighted mean. */
  "accuracy",
  /** Its sample-weighted standard deviation over clients; 0 when the server tests. */
  "accuracy_std",
  /** Seconds since the server started, earlier parts of a resumed run included; see `server.simulate_wall_time`. */
  "elapsed_time",
  /** Longest time a client took beside training and communication, in seconds. */
  "processing_time",
  /** Longest time in which one client's weights travelled, both ways, in seconds. */
  "comm_time",
  /** Longest time from an assignment to its accepted update, in seconds. */
  "round_time",
  /** Payload sent and received since the run began, in megabytes of 2^20 bytes. */
  "comm_overhead",
  /** That of this round alone. */
  "round_comm_overhead",
  /** Sample-weighted mean of the clients' training losses. */
  "train_loss",
] as const;

const MEGABYTE = 2 ** 20;

/** What the items of one round are made from. */
export interface RoundFacts {
  readonly round: number;
  readonly scalar: ScalarMetric | null;
  /** Standard deviation of the scalar over clients; null where there is none. */
  readonly scalarStd: number | null;
  readonly clients: readonly ClientResult[];
  /** Seconds. */
  readonly elapsed: number;
  readonly payloadBytes: number;
  /** Those of this round. */
  readonly roundBytes: number;
}

/** The items of one round by name. What does not exist, or is not finite, is null. */
export function itemsOf(facts: RoundFacts): Record<string, number | null> {
  const { clients, scalar } = facts;
  const value = scalar === null ? null : scalar.value;
  const items: Record<string, number | null> = {
    round: facts.round,
    accuracy: value,
    accuracy_std: facts.scalarStd,
    elapsed_time: facts.elapsed,
    processing_time: longest(clients, (one) => Math.max(0, one.totalTime - one.trainingTime - one.commTime)),
    comm_time: longest(clients, (one) => one.commTime),
    round_time: longest(clients, (one) => one.totalTime),
    comm_overhead: facts.payloadBytes / MEGABYTE,
    round_comm_overhead: facts.roundBytes / MEGABYTE,
    train_loss: trainLoss(clients),
  };
  const own = scalar === null ? "" : columnName(scalar.name);
  // A metric that bears the name of another item does not take its place.
  if (own !== "" && !Object.hasOwn(items, own)) {
    items[own] = value;
    items[`${own}_std`] ??= facts.scalarStd;
  }
  for (const [name, item] of Object.entries(items)) {
    if (item !== null && !Number.isFinite(item)) items[name] = null;
  }
  return items;
}

function longest(clients: readonly ClientResult[], secondsOf: (one: ClientResult) => number): number | null {
  return clients.length === 0 ? null : Math.max(...clients.map(secondsOf));
}

function trainLoss(clients: readonly ClientResult[]): number | null {
  const known = clients.flatMap(({ trainLoss: value, numSamples }) =>
    value === null ? [] : [{ value, weight: numSamples }],
  );
  return weightedMoments(known)?.mean ?? null;
}
