import type { Weights } from "../weights/index.js";
import type { ModelUpdateStrategy } from "./strategies.js";

/** Where the bytes of one received update can be read from, again and again, in wire format. */
export interface WeightSource {
  readonly bytes: number;
  /** The payload from its first byte, in pieces of at most 1 MiB. */
  read(): AsyncIterable<Uint8Array>;
  /** Frees the memory or the file behind it. */
  discard(): Promise<void>;
}

/** One client's contribution to a round. */
export interface ClientUpdate {
  readonly clientId: number;
  readonly numSamples: number;
  /** Rounds behind: current round minus the round it started from. 0 in synchronous rounds. */
  readonly staleness: number;
  readonly weights: WeightSource;
}

/** The fold of one round. */
export interface Aggregation {
  /** Adds one update. Its source is read, not discarded. */
  fold(update: ClientUpdate): Promise<void>;
  /** The new global weights. With nothing folded, or no samples at all, the old ones. */
  finish(): Promise<Weights>;
}

/** Server half of an algorithm. */
export interface ServerAlgorithm {
  begin(globalWeights: Weights, round: number): Aggregation;
}

/** A federated algorithm: both halves. */
export interface Algorithm {
  readonly name: string;
  readonly server: ServerAlgorithm;
  /** Client half: what happens around local training. FedAvg needs none. */
  readonly client: { readonly modelUpdate?: ModelUpdateStrategy };
}

/** Makes an algorithm from the resolved configuration's `[algorithm]` table. */
export type AlgorithmFactory = (options: Readonly<Record<string, unknown>>) => Algorithm | Promise<Algorithm>;
