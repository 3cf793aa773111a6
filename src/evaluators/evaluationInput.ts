import type { Logger } from "../base/index.js";
import type { TrainingContext } from "../context/index.js";
import type { Dataset } from "../data/index.js";
import type { SampleLog } from "./samples/sampleLog.js";

/** A model's outputs for some rows: logits for classification, values for regression. */
export interface Predictions {
  /** Row-major, shape [rows, width]. */
  readonly outputs: Float32Array;
  /** Classes, or target values, per row. */
  readonly width: number;
}

/** What an evaluator needs of the trainer that runs the test, declared by shape: any trainer will do. */
export interface EvaluatingTrainer {
  readonly tokenizer?: unknown;
  /**
   * Outputs of the live model, without training behaviour. The built-in evaluators need it.
   * @param indices rows of `dataset`, in the order wanted
   * @param signal stops the work between batches
   */
  predict?(dataset: Dataset, indices: Int32Array, signal?: AbortSignal): Promise<Predictions>;
  /**
   * Has other processes do the parts 1 to `of` - 1 of an evaluator's work, each by its `evaluateShard` with the
   * trainer's present weights.
   * @param work `name` of the evaluator's table; `answersFolder` of the request, for theirs
   * @returns what they gave, in the order of the parts
   */
  inOtherProcesses?(work: {
    readonly name: string;
    readonly of: number;
    readonly answersFolder?: string | undefined;
    readonly signal: AbortSignal;
  }): Promise<unknown[]>;
}

/** What an evaluator is called with. */
export interface EvaluationInput {
  /** The live (aggregated) model. */
  readonly model: unknown;
  readonly trainer: EvaluatingTrainer | undefined;
  readonly tokenizer: unknown;
  /** Shared with the trainer's strategies and callbacks; read and write `context.state` for coordination. */
  readonly context: TrainingContext;
  /** The resolved configuration, or whatever object the foreign loop passed. */
  readonly config: unknown;
  /** The test data; the product's own is a `Dataset`. */
  readonly testset: unknown;
  /** Which rows of `testset` count: an `Int32Array` of indices, or undefined for all. */
  readonly sampler: unknown;
  /** The scalar that the testing strategy has just computed. */
  readonly localMetric: number | undefined;
  /** Aborts when the evaluator's timeout is reached or the run is stopped. */
  readonly signal: AbortSignal;
  /** Round, from 1; 0 is the untrained model. */
  readonly round: number;
  /** Logical client, 0 is the server. */
  readonly clientId: number;
  /** Seed for this evaluator's random choices, the same in every round. */
  readonly seed: number;
  /** Where to say what takes long, and what was not as it should be. */
  readonly logger: Logger;
  /**
   * Tells how far the evaluator is: so many of so many requests, rows, or whatever it counts. Call it as often as
   * you like; undefined where nobody listens.
   * @param known of `done`, those that took no time
   */
  readonly progress?: ((done: number, total: number, known?: number) => void) | undefined;
  /** Takes what single examples were asked, answered and scored; undefined unless `log_samples` asks for it. */
  readonly samples?: SampleLog | undefined;
  /** Where answers of a language model may be kept for another evaluation of the same weights. */
  readonly answersFolder?: string | undefined;
  /** Digest of the weights that the model was handed over with; taken once for all evaluators of a round. */
  readonly weightsDigest?: (() => string) | undefined;
}
