import type { ActivationName } from "./causal/activationNames.js";

/** Sizes and choices of a GPT-2. */
export interface Gpt2Shape {
  readonly vocabularySize: number;
  readonly contextLength: number;
  readonly width: number;
  readonly layers: number;
  readonly heads: number;
  readonly innerWidth: number;
  readonly activation: ActivationName;
  readonly normEpsilon: number;
  readonly dropout: { readonly embedding: number; readonly attention: number; readonly residual: number };
  /** Whether scores are divided by the root of the head size. */
  readonly scaleScores: boolean;
  /** Whether scores are also divided by the number of the layer, from 1. */
  readonly scaleByLayer: boolean;
  /** Whether the table of token embeddings also makes the logits. */
  readonly tied: boolean;
  /** Standard deviation of the first weights. */
  readonly deviation: number;
}
