import type * as tf from "@tensorflow/tfjs-core";
import type { EffectiveWeight } from "../../causalModel.js";
import { readVariable } from "../../variableModel.js";
import { type Adapter, type AdapterWeights, merged } from "./adapter.js";

/** A weight, with what the adapter of its layer adds. */
export function effectiveWeight(
  weight: tf.Tensor,
  adapter?: Adapter & { weights: AdapterWeights },
): EffectiveWeight {
  const { shape } = weight;
  if (!adapter) return { shape, parts: [weight], values: () => readVariable(weight) };
  return {
    shape,
    parts: [weight, adapter.weights.a, adapter.weights.b],
    values: () => {
      const sum = merged(weight, adapter.weights, adapter);
      const values = readVariable(sum);
      sum.dispose();
      return values;
    },
  };
}
