import * as tf from "@tensorflow/tfjs-core";
import { parseOptions, type Random } from "../base/index.js";
import { glorotUniform, heNormal, zeros } from "./initialValues.js";
import type { ModelRequest } from "./model.js";
import { multilayerParameters } from "./modelParameters.js";
import { outputCount } from "./outputs.js";
import { type InitialVariable, VariableModel } from "./variableModel.js";

/** A multilayer perceptron: dense layers with ReLU between them; inputs of any shape are flattened. */
export class Multilayer extends VariableModel {
  readonly #width: number;
  readonly #layers: number;

  constructor({ inputShape, classes, parameters, random }: ModelRequest) {
    const options = parseOptions(multilayerParameters, parameters, "[parameters.model] of multilayer");
    const width = inputShape.reduce((product, size) => product * size, 1);
    const sizes = [width, ...options.hidden_sizes, outputCount(classes, options.num_classes)];
    super("multilayer", initialVariables(random, sizes));
    this.#width = width;
    this.#layers = sizes.length - 1;
  }

  override forward(inputs: tf.Tensor): tf.Tensor {
    return tf.tidy(() => {
      let units = tf.reshape(inputs, [-1, this.#width]);
      for (let layer = 1; layer <= this.#layers; layer++) {
        const product = tf.matMul(units, this.variable(`fc${layer}.weight`));
        units = tf.add(product, this.variable(`fc${layer}.bias`));
        if (layer < this.#layers) units = tf.relu(units);
      }
      return units;
    });
  }
}

/** @param sizes width of the input, of each hidden layer, of the output */
function initialVariables(random: Random, sizes: readonly number[]): Map<string, InitialVariable> {
  const variables = new Map<string, InitialVariable>();
  for (let layer = 1; layer < sizes.length; layer++) {
    const shape = [sizes[layer - 1]!, sizes[layer]!] as const;
    const last = layer === sizes.length - 1;
    variables.set(
      `fc${layer}.weight`,
      last ? glorotUniform(random, shape) : heNormal(random, shape, shape[0]),
    );
    variables.set(`fc${layer}.bias`, zeros(shape[1]));
  }
  return variables;
}
