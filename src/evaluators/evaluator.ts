import type { Config } from "../config/index.js";
import type { HubEnvironment } from "../hub/index.js";
import type { Tokenizer } from "../tokenizers/index.js";
import type { EvaluationInput } from "./evaluationInput.js";
import type { EvaluationResult, EvaluationResultInit } from "./evaluationResult.js";

/** An `[evaluation]` table as an evaluator gets it: common keys and its own options, under their TOML names. */
export type EvaluatorConfig = Readonly<Record<string, unknown>>;

/** What is known of a metric before anything was measured. */
export interface MetricDeclaration {
  readonly higherIsBetter: boolean;
  /** For example "fraction", "nats" or "tokens". */
  readonly unit?: string;
}

/**
 * What an evaluator class may declare as static members. What is declared is checked before round 1, what
 * is not on the first result.
 */
export interface EvaluatorDeclarations {
  /** The metrics it gives; `primary_metric` must then be one of them. */
  readonly metrics?: Readonly<Record<string, MetricDeclaration>>;
  /** A zod object schema of its options: every key of the table that is not common to all evaluators. */
  readonly options?: OptionsSchema;
  /** The primary metric where `primary_metric` is not given. */
  readonly primaryMetric?: string;
  /** One line for `elenchus list evaluators`. */
  readonly description?: string;
  /** True where it asks the model as a language model: trainers of other kinds are then refused before round 1. */
  readonly tokens?: boolean;
  /** Common keys that are the evaluator's own business; where they are not heeded they are refused. */
  readonly heeds?: readonly HeededKey[];
  /**
   * Looks, before round 1 and in `elenchus check`, for what would keep it from evaluating: files, sizes, names. What
   * it fetches is there for all rounds. What it throws is a fault of the configuration.
   * @param config the table, its options parsed
   */
  prepare?(config: EvaluatorConfig, preparation: EvaluatorPreparation): void | Promise<void>;
}

/** A common key that only some evaluators can heed. */
export type HeededKey = "data_dir";

/** What is known before anything was trained. */
export interface EvaluatorPreparation {
  readonly config: Config;
  /** Of the data, where its rows are text. */
  readonly tokenizer: Tokenizer | undefined;
  /** The model that will be built, where that much is known by then; its own code may know it only later. */
  readonly model?: { readonly name: string; readonly contextLength: number } | undefined;
  readonly hub: HubEnvironment;
  /** The evaluations that the trainer's class declares, where that can be seen by then. */
  readonly declared?: readonly unknown[] | undefined;
}

/** The part of a zod schema that is used, so that a schema of another copy of zod will do. */
export interface OptionsSchema {
  safeParse(value: unknown):
    | { success: true; data: unknown }
    | {
        success: false;
        error: {
          readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
        };
      };
}

/** What `evaluate` may give: a result, or its fields as a plain object. */
export type Evaluated = EvaluationResult | EvaluationResultInit;

/** Anything that evaluates; what a factory has to return. */
export interface EvaluatorLike {
  readonly config?: unknown;
  evaluate(request: EvaluationInput): Evaluated | Promise<Evaluated>;
}

/** An evaluator whose work can be shared by several processes. */
export interface ShardEvaluator extends EvaluatorLike {
  /**
   * Does the part `index`, from 0, of `of` parts.
   * @returns values that can be cloned, for `evaluate` to put together
   */
  evaluateShard(
    request: EvaluationInput,
    shard: { readonly index: number; readonly of: number },
  ): Promise<unknown>;
}

/** Measures a model. Extend it, and register the class under the name that `[evaluation] type` gives. */
export abstract class Evaluator<Config extends EvaluatorConfig = EvaluatorConfig> implements EvaluatorLike {
  /** The table, its options parsed. Keep no more than this in the constructor: it runs before every evaluation. */
  readonly config: Config;

  constructor(config: Config) {
    this.config = config;
  }

  /**
   * Measures `request.model`. Whatever it throws, and whatever invalid it returns, is this evaluator's
   * failure alone. Throw `EvaluationSkipped` where it does not apply.
   */
  abstract evaluate(request: EvaluationInput): Evaluated | Promise<Evaluated>;
}
