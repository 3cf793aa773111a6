import { createOrderedFold, type OrderedFold, type ServerAlgorithm } from "../algorithms/index.js";
import { type Limits, type Payload, preparePayload } from "../protocol/index.js";
import { encodeWeights, layoutOf, type WeightLayout, type Weights } from "../weights/index.js";
import type { ClientResult } from "./clientResults.js";

/** What the server holds for the round under way. */
export interface RoundWork {
  readonly round: number;
  /** The global weights, ready to be sent to every member. */
  readonly payload: Payload;
  readonly layout: WeightLayout;
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
  readonly order: "client" | "arrival";
}

/** @throws PAYLOAD_INVALID when the model is larger than the limits allow */
export function openRound(options: RoundWorkOptions): RoundWork {
  const { round, clients, weights, limits, algorithm, order } = options;
  return {
    round,
    payload: preparePayload(encodeWeights(weights), limits),
    layout: layoutOf(weights),
    fold: createOrderedFold({ aggregation: algorithm.begin(weights, round), members: clients, order }),
    results: new Map(),
    assigned: new Map(),
  };
}

/** The round's results in the order of logical clients. */
export function resultsOf(work: RoundWork | null): ClientResult[] {
  return [...(work?.results.values() ?? [])].sort((a, b) => a.clientId - b.clientId);
}
