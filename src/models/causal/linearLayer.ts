import type { WeightOrder } from "../../compute/fused/index.js";

/** A linear layer of a model. */
export interface LinearLayer {
  readonly stored: WeightOrder;
  readonly inputs: number;
  readonly outputs: number;
}
