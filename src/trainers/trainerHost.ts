import type { Pace } from "../base/index.js";
import type { EvaluationOutcome } from "../evaluators/index.js";
import type { Weights } from "../weights/index.js";

/** The scalar test metric. */
export interface ScalarMetric {
  /** Metric name of the testing strategy, "accuracy" by default. */
  name: string;
  value: number;
  higherIsBetter: boolean;
}

/** One logical client's local training. */
export interface TrainTask {
  round: number;
  /** From 1. */
  clientId: number;
  /** The global weights, and what the algorithm broadcasts beside them. */
  weights: Weights;
  /** True when `clients.do_test` asks this client to test after training. */
  test: boolean;
  /** State of this logical client from its last participation, by name; structured-cloneable values. */
  state: ReadonlyMap<string, unknown>;
  /** The round after which this client's update was last aggregated; null: none was. Absent: not known. */
  lastRound?: number | null | undefined;
  /** Where evaluators with `log_samples = true` log them. Absent: nowhere. */
  samplesFolder?: string | undefined;
}

/** What local training gives back. */
export interface TrainOutcome {
  weights: Weights;
  /** Rows trained on; the weight of the update. */
  numSamples: number;
  /** Mean loss of the last local epoch. */
  trainLoss: number | null;
  /** Seconds of training. */
  trainingTime: number;
  /** Scalar of the local test, when it was asked for. */
  scalar: ScalarMetric | null;
  /** Of evaluators with `on_clients = true` that were due, in table order. */
  evaluations?: EvaluationOutcome[] | undefined;
  /** State to keep for this logical client. */
  state: ReadonlyMap<string, unknown>;
}

/** One test of the global model. */
export interface TestTask {
  round: number;
  weights: Weights;
  /** True when this is known to be the last round: every evaluator is then due. */
  lastRound: boolean;
  /** `context.state` of the server, from the last test or a checkpoint. */
  state: ReadonlyMap<string, unknown>;
  /** Where evaluators with `log_samples = true` log them. Absent: nowhere. */
  samplesFolder?: string | undefined;
  /** Where answers of language models are kept, should the same weights be evaluated once more. Absent: nowhere. */
  answersFolder?: string | undefined;
}

/** What the test gives back. */
export interface TestOutcome {
  /** Null only where `evaluate` was asked for without a test. */
  scalar: ScalarMetric | null;
  /** In table order; an evaluator that was not due is absent. */
  evaluations: EvaluationOutcome[];
  /** Every structured-cloneable entry of `context.state` afterwards. */
  state: ReadonlyMap<string, unknown>;
}

/** One part of an evaluator's work. */
export interface ShardTask {
  round: number;
  weights: Weights;
  state: ReadonlyMap<string, unknown>;
  /** Name of the evaluator's table. */
  name: string;
  /** From 1; the part 0 is done by whoever asks. */
  index: number;
  of: number;
  /** As in `TestTask`. */
  answersFolder?: string | undefined;
}

/** Progress that a host reports while it works. */
export interface HostProgress {
  stage: "train" | "test" | "evaluate";
  clientId: number;
  /** Steps done and to do, or evaluators. */
  done: number;
  total: number;
  /** Loss, or the evaluator's name. */
  note?: string;
  /** While an evaluator is at work: how far it is with its requests, or whatever it counts. */
  pace?: Pace;
}

/**
 * Where a trainer lives: in this process or in a worker. Both pass one shared suite. All methods reject
 * with an `ElenchusError`; none is called again before the one before has settled.
 */
export interface TrainerHost {
  /** Weights of the freshly initialised model, from `trainer.random_seed`. */
  initialWeights(): Promise<Weights>;
  train(task: TrainTask, signal: AbortSignal, progress?: (p: HostProgress) => void): Promise<TrainOutcome>;
  /** Testing strategy, then the evaluators that are due. */
  test(task: TestTask, signal: AbortSignal, progress?: (p: HostProgress) => void): Promise<TestOutcome>;
  /** Only the evaluators of these names, on these weights. */
  evaluate(
    task: TestTask & { names: readonly string[]; scalar: ScalarMetric | null },
    signal: AbortSignal,
    progress?: (p: HostProgress) => void,
  ): Promise<TestOutcome>;
  /** What the process that trains and tests has at hand; starts it when it does not run yet. */
  describe(): Promise<HostDescription>;
  /** Name of the compute back end in use, once known. */
  backend(): Promise<string>;
  /** Frees the model, ends a worker. A call under way rejects. Closing again does nothing. */
  close(): Promise<void>;
}

/** What the process behind a host has at hand once the user's modules are loaded. */
export interface HostDescription {
  /** The compute back end in use. */
  backend: string;
  /** Registered evaluators, sorted. */
  evaluators: readonly string[];
}
