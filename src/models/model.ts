import type * as tf from "@tensorflow/tfjs-core";
import type { ZodType } from "zod";
import type { Random } from "../base/index.js";
import type { HubEnvironment } from "../hub/index.js";
import type { Weights } from "../weights/index.js";

/** A network: named variables and a forward pass. */
export interface Model {
  readonly name: string;
  /** Trainable variables by weight name, in the order of `weights()`. */
  readonly variables: ReadonlyMap<string, tf.Variable>;
  /** How dense weights lie, for those who must know inputs from outputs. */
  readonly denseLayout?: "out-in" | "in-out";
  /**
   * Weights that neither train nor travel: everyone has the same ones from the configuration. Absent: none.
   */
  readonly frozen?: ReadonlyMap<string, tf.Tensor>;
  /**
   * Freezes every weight, trained so far or not, whose name is not accepted. `weights()` then gives the others
   * and a fingerprint of the frozen ones, which `loadWeights` compares.
   */
  freeze?(stays: (name: string) => boolean): void;
  /**
   * @param inputs shape [rows, ...inputShape]
   * @returns logits [rows, classes], or values [rows, outputs] for regression
   */
  forward(inputs: tf.Tensor, options: ForwardOptions): tf.Tensor;
  /** Copies of all weights that are not frozen, trained or not. */
  weights(): Weights;
  /** Overwrites all weights that are not frozen. @throws WEIGHTS_INVALID when names, types or shapes differ */
  loadWeights(weights: Weights): void;
  /** Frees every tensor. */
  dispose(): void;
}

/** How a forward pass is made. */
export interface ForwardOptions {
  readonly training: boolean;
  /** Draws what dropout leaves out; a model with dropout needs it in training. */
  readonly random?: Random | undefined;
  /**
   * Keeps less for the way back and computes it anew there: less memory for more time, the same gradients. A model
   * that cannot do so takes no notice.
   */
  readonly recompute?: boolean | undefined;
}

/** What a model is built from. */
export interface ModelRequest {
  /** `trainer.model_name`, for kinds of model that are built from what it names. */
  readonly modelName?: string;
  /** Branch, tag or commit of that name on a hub. */
  readonly modelRevision?: string | undefined;
  /** How published models are fetched. Default: as the environment variables of the hub say, in silence. */
  readonly hub?: HubEnvironment;
  /** Shape of one input, from the data source. */
  readonly inputShape: readonly number[];
  /** Number of classes; 0 for regression. */
  readonly classes: number;
  /** `[parameters.model]`. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Draws the initial weights. */
  readonly random: Random;
  /** `[parameters.lora]`: adapters that are added to the model, and alone train and travel. */
  readonly lora?: Readonly<Record<string, unknown>> | undefined;
}

/** Builds a model; the compute back end is already chosen. */
export interface ModelFactory {
  (request: ModelRequest): Model | Promise<Model>;
  /** Schema of its `[parameters.model]`; where it is declared, `parameters` come parsed, with defaults. */
  readonly options?: ZodType;
  /** Whether it reads tokens, where that is known before it is built. */
  readonly tokens?: boolean;
  /**
   * Looks for what would keep it from being built, without TensorFlow.js and without fetching weights.
   * @returns what is known of it by then; rejects with the error that building would end with
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: a check that knows nothing returns nothing
  check?(request: ModelCheckRequest): Promise<ModelFacts | void>;
}

/** What is known of a model before it is built. */
export interface ModelFacts {
  /** As messages name it. */
  readonly name: string;
  /** The most tokens that it reads at once. */
  readonly contextLength: number;
}

/** What a model is checked with before it is built. */
export interface ModelCheckRequest extends Omit<ModelRequest, "random"> {
  /** `trainer.trainable`. */
  readonly trainable?: string | readonly string[] | undefined;
  /** Whether a small model may be built to be looked at, which loads TensorFlow.js. Default false. */
  readonly mayBuild?: boolean | undefined;
}
