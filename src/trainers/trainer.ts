import type { ZodType } from "zod";
import type { ModelUpdateStrategy } from "../algorithms/index.js";
import type { Clock, Logger, Pace } from "../base/index.js";
import type { CatalogEntry, Config } from "../config/index.js";
import type { TrainingContext } from "../context/index.js";
import type { Dataset } from "../data/index.js";
import type { ColumnClaims, EvaluatingTrainer, EvaluationOutcome } from "../evaluators/index.js";
import type { Model, ModelRequest } from "../models/index.js";
import type { Tokenizer } from "../tokenizers/index.js";
import type { Weights } from "../weights/index.js";
import type { RunHistory } from "./runHistory.js";
import type { ScalarMetric } from "./trainerHost.js";

/** What a trainer is made for: one logical client in one round. */
export interface TrainerRequest {
  readonly config: Config;
  /** From 1; 0 is the server. Default 0. */
  readonly clientId?: number;
  /** Default 0. */
  readonly round?: number;
  /** Name of the compute back end, which is already chosen. */
  readonly device?: string;
  /** What `context.state` starts with. */
  readonly state?: Iterable<readonly [string, unknown]>;
  /**
   * The model that the configuration names. It belongs to whoever gives it and outlives the trainer.
   * @param broken the one that was given before, where an evaluator freed it: another takes its place
   */
  readonly configuredModel?: (broken?: Model) => Model | Promise<Model>;
  /** What a model of the trainer's own is built from: shapes from the data source, a fresh generator. */
  readonly modelRequest?: () => ModelRequest;
  /** Of text: what made the token ids. Evaluators are given it. */
  readonly tokenizer?: Tokenizer | undefined;
  /** The algorithm's client half. */
  readonly algorithmUpdate?: ModelUpdateStrategy | undefined;
  /** Which evaluator has which column, where that is to hold beyond this trainer. */
  readonly claims?: ColumnClaims | undefined;
  /** Other processes for parts of an evaluator's work. */
  readonly shards?: ShardProcesses | undefined;
  readonly logger?: Logger;
  readonly clock?: Clock;
}

/** Has other processes do parts of an evaluator's work. */
export type ShardProcesses = (work: {
  /** Name of the evaluator's table. */
  readonly name: string;
  /** Parts altogether; 0 is done by whoever asks. */
  readonly of: number;
  readonly round: number;
  readonly weights: Weights;
  readonly state: ReadonlyMap<string, unknown>;
  readonly signal: AbortSignal;
  /** Where answers of language models are kept; absent: nowhere. */
  readonly answersFolder?: string | undefined;
}) => Promise<unknown[]>;

/** Makes a trainer; registered by name in `trainers`. Called anew for every logical client and round. */
export interface TrainerFactory {
  (request: TrainerRequest): Trainer | Promise<Trainer>;
  /** Schema of the keys it adds to `[trainer]`. */
  readonly options?: ZodType;
  /** Whether it works on tokens; undefined: on whatever there is. */
  readonly tokens?: boolean;
  /** What its test gives, where that does not follow from the loss. */
  readonly metrics?: CatalogEntry["metrics"];
  /** What it finds wrong with a configuration before anything is made. */
  readonly check?: CatalogEntry["check"];
}

/** Steps done and to do. */
export type StepProgress = (done: number, total: number, loss: number) => void;

/** One run of local training. */
export interface TrainRequest {
  readonly trainset: Dataset;
  /** The client's rows in `trainset`. */
  readonly indices: Int32Array;
  /** Passes over them. Default: `trainer.epochs`. */
  readonly epochs?: number | undefined;
  /** Where in `context.state` the optimizer's moments are kept, with `trainer.preserve_optimizer_state`. */
  readonly optimizerKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: StepProgress | undefined;
}

/** What training gives back beside the changed model. */
export interface TrainReport {
  /** Rows trained on. */
  numSamples: number;
  /**
   * Mean loss of the last local epoch, over its rows or over its tokens that have a label; null with none of them or
   * a loss that is not finite.
   */
  trainLoss: number | null;
  /** Seconds. */
  trainingTime: number;
}

/** One test of the trainer's model. */
export interface TestRequest {
  readonly testset: Dataset;
  /** Rows of `testset` to use; undefined: all. */
  readonly indices?: Int32Array | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Which evaluators follow the scalar. Default: on the server those that are due, on a client none. */
  readonly evaluators?: EvaluatorChoice | undefined;
  readonly listener?: TestListener | undefined;
  /** Where evaluators with `log_samples = true` log them. Absent: nowhere. */
  readonly samplesFolder?: string | undefined;
  /** Where answers of language models are kept. Absent: nowhere. */
  readonly answersFolder?: string | undefined;
}

/** Which evaluators run. */
export interface EvaluatorChoice {
  /** True when this is the last round: every evaluator is then due. */
  readonly lastRound?: boolean;
  /** Exactly these, due or not. */
  readonly names?: readonly string[] | undefined;
}

/** Hears of a test's parts as soon as each is known. Every answer is waited for before the work goes on. */
export interface TestListener {
  onScalar?(scalar: ScalarMetric): void | Promise<void>;
  /** Before an evaluator is resolved. @param timeout the seconds it is given */
  onEvaluatorStart?(name: string, timeout: number): void | Promise<void>;
  /** While an evaluator is at work, several times a second. */
  onProgress?(name: string, pace: Pace): void;
  onOutcome?(outcome: EvaluationOutcome): void | Promise<void>;
}

/** What a test gives back. */
export interface TestReport {
  /** The testing strategy's scalar; no evaluator can change it. Null where only evaluators were asked for. */
  scalar: ScalarMetric | null;
  /** In table order. A failure stands in its outcome and is not thrown. */
  evaluations: EvaluationOutcome[];
}

/** Trains and tests one model. */
export interface Trainer extends EvaluatingTrainer {
  readonly context: TrainingContext;
  readonly history: RunHistory;
  /** The model, built on first use. */
  model(): Promise<Model>;
  /** Local training from the model's present weights. */
  train(request: TrainRequest): Promise<TrainReport>;
  /** Copies of the model's weights that travel, and whatever the model update strategies send beside them. */
  update(): Promise<Weights>;
  /** Testing strategy, then evaluators. */
  testModel(request: TestRequest): Promise<TestReport>;
  /** Evaluators without the testing strategy. @param scalar the scalar of an earlier test of these weights */
  evaluate(request: TestRequest, scalar: ScalarMetric | null): Promise<TestReport>;
  /** Frees what the trainer holds; a model that was given to it stays. */
  dispose(): Promise<void>;
}
