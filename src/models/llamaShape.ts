import type { ActivationName } from "./causal/activationNames.js";
import type { RotarySettings } from "./causal/rotaryFrequencies.js";

/** Sizes and choices of a model of the Llama family. */
export interface LlamaShape {
  readonly vocabularySize: number;
  readonly contextLength: number;
  readonly width: number;
  readonly layers: number;
  readonly heads: number;
  /** Heads of keys and values; each serves `heads / keyHeads` heads of queries. */
  readonly keyHeads: number;
  readonly headSize: number;
  readonly innerWidth: number;
  readonly activation: ActivationName;
  readonly normEpsilon: number;
  readonly rotary: RotarySettings;
  readonly biases: { readonly queriesKeysValues: boolean; readonly output: boolean; readonly dense: boolean };
  /** Whether queries and keys are normed, head by head, before they are turned. */
  readonly queryKeyNorm: boolean;
  /** By layer: the most tokens that are seen, the own one included; infinity for all. */
  readonly windows: readonly number[];
  /** Whether the table of token embeddings also makes the logits. */
  readonly tied: boolean;
  readonly attentionDropout: number;
  /** Standard deviation of the first weights. */
  readonly deviation: number;
}
