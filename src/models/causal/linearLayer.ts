/** How the weight of a linear layer lies: [outputs, inputs], as PyTorch has it, or [inputs, outputs], as GPT-2 has it. */
export type StoredWeight = "out-in" | "in-out";

/** A linear layer of a model. */
export interface LinearLayer {
  readonly stored: StoredWeight;
  readonly inputs: number;
  readonly outputs: number;
}
