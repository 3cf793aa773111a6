import type { ZodType } from "zod";
import type { CatalogEntry, Config } from "../config/index.js";
import type { ArrayDescription, WeightLayout, Weights } from "../weights/index.js";
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
  /** The numbers that the algorithm declared in `UpdateContents.scalars`, read and found within their ranges. */
  readonly scalars?: ReadonlyMap<string, number>;
}

/**
 * What the server half of an algorithm carries from round to round, by name: moments, control variates. It goes into
 * the checkpoint, so that a resumed run continues bit for bit.
 */
export type AlgorithmState = Weights;

/** The fold of one round. */
export interface Aggregation {
  /** Adds one update. Its source is read, not discarded. */
  fold(update: ClientUpdate): Promise<void>;
  /** The new global weights. With nothing folded, or no samples at all, the old ones. */
  finish(): Promise<Weights>;
  /** What the next round begins with; asked for after `finish`. Absent: nothing is carried. */
  state?(): AlgorithmState;
}

/** From `min` to `max`, both included. */
export interface ScalarRange {
  readonly min: number;
  readonly max: number;
  /** Whether 0 may stand in it too, for "none". Default false. */
  readonly orZero?: boolean;
  /** What sets the range and how to widen it, as a sentence for whoever reads the refusal. */
  readonly mend?: string;
}

/** What one update holds. Whatever else a client sends is refused before it is folded. */
export interface UpdateContents {
  /** In the order of the payload: arrays of the model, then those that the algorithm adds. */
  readonly arrays: readonly ArrayDescription[];
  /** Numbers behind them, each a float32 array of shape [], and the range each must lie in. */
  readonly scalars?: Readonly<Record<string, ScalarRange>>;
}

/** Server half of an algorithm. */
export interface ServerAlgorithm {
  /** @param state what the round before gave; absent at first */
  begin(globalWeights: Weights, round: number, state?: AlgorithmState): Aggregation;
  /** Arrays to send to clients beside the global weights, under names that begin with `EXTRA_PREFIX`. */
  broadcast?(globalWeights: Weights, state?: AlgorithmState): Weights;
  /**
   * What an update holds. Default: the arrays of the global weights.
   * @param globalLayout of the weights without what is broadcast beside them
   * @throws CONFIG_CONFLICT for a model that the algorithm cannot work on; asked for before round 1 too
   */
  contents?(globalLayout: WeightLayout): UpdateContents;
}

/** What the client half is made for: one training of one logical client. */
export interface ClientTask {
  readonly config: Config;
  /** From 1. */
  readonly clientId: number;
  readonly round: number;
  /** What the server half broadcast beside the global weights. */
  readonly received: Weights;
}

/** Client half of an algorithm: what happens around local training. FedAvg needs nothing. */
export interface ClientAlgorithm {
  /** Around the training whose weights are sent. */
  readonly modelUpdate?: ModelUpdateStrategy | ((task: ClientTask) => ModelUpdateStrategy);
  /**
   * Around a second training, from the same global weights, once those of the first were taken to be sent: of a model
   * that the client keeps to itself, and that its test is then about.
   */
  readonly personalUpdate?: (task: ClientTask) => ModelUpdateStrategy;
  /** Epochs of that second training. Default: `trainer.epochs`. */
  readonly personalEpochs?: number | undefined;
  /**
   * Whether each logical client keeps something in `context.state` that it must find again. Where it has got lost,
   * the client fails instead of beginning anew in silence. Default false.
   */
  readonly keepsState?: boolean;
}

/** A federated algorithm: both halves. */
export interface Algorithm {
  readonly name: string;
  readonly server: ServerAlgorithm;
  readonly client: ClientAlgorithm;
}

/** Makes an algorithm. Called in the server's process and, for every training, in the clients'. */
export interface AlgorithmFactory {
  /**
   * @param options the resolved configuration's `[algorithm]` table
   * @param config all of it; absent only where a test or a foreign loop makes an algorithm by itself
   */
  (options: Readonly<Record<string, unknown>>, config?: Config): Algorithm | Promise<Algorithm>;
  /** Schema of the keys it adds to `[algorithm]`. */
  readonly options?: ZodType;
  /** Keys it adds to other sections. */
  readonly otherKeys?: CatalogEntry["otherKeys"];
  /** What it finds wrong with a configuration before anything is made. */
  readonly check?: CatalogEntry["check"];
  /**
   * What travels other than the model's weights, in a word. `server.type` may name another algorithm than
   * `algorithm.type` only where both have the same. Default: nothing else travels.
   */
  readonly exchange?: string;
}

/** What the name of an array begins with that travels beside a model's weights. */
export const EXTRA_PREFIX = "~";
