import type { TensorInfo } from "@tensorflow/tfjs-core";
import type { Attributes, RepairTools } from "./repair.js";

const ACTIVATIONS: Readonly<Record<string, string>> = {
  relu: "Relu",
  relu6: "Relu6",
  elu: "Elu",
  sigmoid: "Sigmoid",
  leakyrelu: "LeakyRelu",
  prelu: "Prelu",
};

/** True for a bias that can be added to rows of `columns` elements where they lie. */
export function isRowBias(bias: TensorInfo | undefined, columns: number): bias is TensorInfo {
  return bias?.shape.length === 1 && bias.shape[0] === columns && bias.dtype === "float32";
}

/**
 * The rest of a fused operation: a bias not added yet, then the activation. Frees `product` unless it is the
 * result.
 */
export function finishFused(
  product: TensorInfo,
  inputs: {
    readonly bias?: TensorInfo | undefined;
    readonly preluActivationWeights?: TensorInfo | undefined;
  },
  attributes: Attributes,
  tools: RepairTools,
): TensorInfo {
  let result = product;
  if (inputs.bias) {
    result = tools.call("Add", { a: product, b: inputs.bias });
    tools.release(product);
  }
  const activation = String(attributes.activation ?? "linear");
  if (activation === "linear") return result;

  const kernelName = ACTIVATIONS[activation];
  if (!kernelName) throw new Error(`The activation ${activation} cannot be fused on the wasm back end.`);
  const activated = tools.call(
    kernelName,
    activation === "prelu" ? { x: result, alpha: inputs.preluActivationWeights } : { x: result },
    activation === "leakyrelu" ? { alpha: attributes.leakyreluAlpha } : {},
  );
  tools.release(result);
  return activated;
}
