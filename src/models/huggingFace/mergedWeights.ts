import type * as tf from "@tensorflow/tfjs-core";
import type { WeightArray, Weights } from "../../weights/index.js";
import { adapterNames, merged } from "../causal/lora/adapter.js";
import type { VariableCausalModel } from "../causal/variableCausalModel.js";
import { readVariable } from "../variableModel.js";

/**
 * All weights of a model under the names of its family: frozen ones too, and each layer with what its adapter adds.
 * `data` is read or computed whenever it is asked for, so that one copy exists at a time.
 */
export function mergedWeights(model: VariableCausalModel): Weights {
  const adapters = model.lora?.adapters ?? new Map();
  const own = new Set([...adapters.keys()].flatMap(adapterNames));
  const weights = new Map<string, WeightArray>();
  for (const [name, tensor] of model.allWeights()) {
    if (own.has(name)) continue;
    weights.set(name, {
      dtype: "float32",
      shape: tensor.shape,
      get data() {
        return mergedValues(model, name, tensor);
      },
    });
  }
  return weights;
}

const SUFFIX = ".weight";

function mergedValues(model: VariableCausalModel, name: string, weight: tf.Tensor): Float32Array {
  const layer = name.endsWith(SUFFIX) ? name.slice(0, -SUFFIX.length) : name;
  const adapter = model.lora?.adapters.get(layer);
  if (adapter === undefined) return readVariable(weight);
  const sum = merged(weight, model.adapterWeights(layer), adapter);
  const values = readVariable(sum);
  sum.dispose();
  return values;
}
