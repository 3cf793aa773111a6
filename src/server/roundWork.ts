import {
  type AlgorithmState,
  type CheckedContents,
  contentsOf,
  createOrderedFold,
  type OrderedFold,
  type ServerAlgorithm,
} from "../algorithms/index.js";
import { createRandom } from "../base/index.js";
import type { Encoded, Processing } from "../processors/index.js";
import { type Limits, type Payload, preparePayload } from "../protocol/index.js";
import { layoutOf, type Weights } from "../weights/index.js";
import type { ClientResult } from "./clientResults.js";

/** What the server holds for the round under way. */
export interface RoundWork {
  readonly round: number;
  /** Logical clients that were drawn. */
  readonly members: number;
  /** The global weights and what the algorithm broadcasts beside them, ready to be sent to every member. */
  readonly payload: Promise<Payload>;
  /** The global weights as every member has them; undefined where no processor needs them. */
  readonly reference: Promise<Weights | undefined>;
  /** What an update must hold. */
  readonly contents: CheckedContents;
  readonly fold: OrderedFold;
  /** Of accepted updates, by logical client. */
  readonly results: Map<number, ClientResult>;
  /** When work was given out, and how long the weights took to arrive, by logical client. */
  readonly assigned: Map<number, Assignment>;
}

/** How a member's work was given out. */
export interface Assignment {
  /** Milliseconds on the clock. */
  readonly at: number;
  /** Of the payload. */
  readonly bytes: number;
  downloadSeconds: number;
}

export interface RoundWorkOptions {
  readonly round: number;
  readonly clients: readonly number[];
  readonly weights: Weights;
  readonly limits: Limits;
  readonly processing: Processing;
  /** Seed of what processors draw. */
  readonly seed: number;
  readonly algorithm: ServerAlgorithm;
  /** What it has carried over from the round before. */
  readonly state?: AlgorithmState | undefined;
  readonly order: "client" | "arrival";
}

/** Its payload rejects with PAYLOAD_INVALID when the model is larger than the limits allow. */
export function openRound(options: RoundWorkOptions): RoundWork {
  const { round, clients, weights, limits, processing, seed, algorithm, state, order } = options;
  const extras = algorithm.broadcast?.(weights, state) ?? new Map();
  const aggregation = algorithm.begin(weights, round, state);
  const { down, up } = processing;
  const randomOf = (name: string) => createRandom(seed, "processor", name, 0, round);
  const encoded = down.encode(new Map([...weights, ...extras]), { randomOf });
  const payload = encoded.then(({ parts }) => preparePayload(parts, limits));
  // Heard by those who ask for them.
  payload.catch(() => {});
  const reference = up.ofChanges ? asReceived(encoded, down.lossy ? undefined : weights) : undefined;
  return {
    round,
    members: clients.length,
    payload,
    reference: Promise.resolve(reference),
    contents: contentsOf(algorithm, layoutOf(weights)),
    fold: createOrderedFold({ aggregation, members: clients, order }),
    results: new Map(),
    assigned: new Map(),
  };
}

/** The weights that came out at the other end. @param same where nothing is lost on the way */
function asReceived(encoded: Promise<Encoded>, same: Weights | undefined): Promise<Weights> {
  const received = same ? Promise.resolve(same) : encoded.then((one) => one.received());
  received.catch(() => {});
  return received;
}

/** The round's results in the order of logical clients. */
export function resultsOf(work: RoundWork | null): ClientResult[] {
  return [...(work?.results.values() ?? [])].sort((a, b) => a.clientId - b.clientId);
}
