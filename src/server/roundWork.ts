import {
  type AlgorithmState,
  type CheckedContents,
  contentsOf,
  createOrderedFold,
  type OrderedFold,
  type ServerAlgorithm,
} from "../algorithms/index.js";
import { type Limits, type Payload, preparePayload } from "../protocol/index.js";
import { encodeWeights, layoutOf, type Weights } from "../weights/index.js";
import type { ClientResult } from "./clientResults.js";

/** What the server holds for the round under way. */
export interface RoundWork {
  readonly round: number;
  /** The global weights and what the algorithm broadcasts beside them, ready to be sent to every member. */
  readonly payload: Payload;
  /** What an update must hold. */
  readonly contents: CheckedContents;
  readonly fold: OrderedFold;
  /** Of accepted updates, by logical client. */
  readonly results: Map<number, ClientResult>;
  /** When work was given out, and how long the weights took to arrive, by logical client. */
  readonly assigned: Map<number, { at: number; downloadSeconds: number }>;
}

export interface RoundWorkOptions {
  readonly round: number;
  readonly clients: readonly number[];
  readonly weights: Weights;
  readonly limits: Limits;
  readonly algorithm: ServerAlgorithm;
  /** What it has carried over from the round before. */
  readonly state?: AlgorithmState | undefined;
  readonly order: "client" | "arrival";
}

/** @throws PAYLOAD_INVALID when the model is larger than the limits allow */
export function openRound(options: RoundWorkOptions): RoundWork {
  const { round, clients, weights, limits, algorithm, state, order } = options;
  const extras = algorithm.broadcast?.(weights, state) ?? new Map();
  const aggregation = algorithm.begin(weights, round, state);
  return {
    round,
    payload: preparePayload(encodeWeights(new Map([...weights, ...extras])), limits),
    contents: contentsOf(algorithm, layoutOf(weights)),
    fold: createOrderedFold({ aggregation, members: clients, order }),
    results: new Map(),
    assigned: new Map(),
  };
}

/** The round's results in the order of logical clients. */
export function resultsOf(work: RoundWork | null): ClientResult[] {
  return [...(work?.results.values() ?? [])].sort((a, b) => a.clientId - b.clientId);
}
