import type { WeightArray, Weights } from "../../weights/index.js";
import type { VariableCausalModel } from "../causal/variableCausalModel.js";

/**
 * All weights of a model under the names of its family: frozen ones too, and each layer with what its adapter adds.
 * `data` is read or computed whenever it is asked for, so that one copy exists at a time.
 */
export function mergedWeights(model: VariableCausalModel): Weights {
  const weights = new Map<string, WeightArray>();
  for (const [name, weight] of model.effectiveWeights()) {
    weights.set(name, {
      dtype: "float32",
      shape: weight.shape,
      get data() {
        return weight.values();
      },
    });
  }
  return weights;
}
