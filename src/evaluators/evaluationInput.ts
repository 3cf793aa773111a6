import type { TrainingContext } from "../context/index.js";

/** What an evaluator needs of the trainer that runs the test, declared by shape: any trainer will do. */
export interface EvaluatingTrainer {
  readonly tokenizer?: unknown;
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
  readonly testset: unknown;
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
}
