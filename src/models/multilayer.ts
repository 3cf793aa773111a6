import * as tf from "@tensorflow/tfjs-core";
import { parseOptions } from "../base/index.js";
import { LayerValues } from "./layerValues.js";
import type { ModelRequest } from "./model.js";
import { multilayerParameters } from "./modelParameters.js";
import { outputCount } from "./outputs.js";
import { VariableModel } from "./variableModel.js";

/** A multilayer perceptron: dense layers with ReLU between them; inputs of any shape are flattened. */
export class Multilayer extends VariableModel {
  readonly #width: number;
  readonly #layers: number;

  constructor({ inputShape, classes, parameters, random }: ModelRequest) {
    const options = parseOptions(multilayerParameters, parameters, "[parameters.model] of multilayer");
    const width = inputShape.reduce((product, size) => product * size, 1);
    const sizes = [width, ...options.hidden_sizes, outputCount(classes, options.num_classes)];
    const layers = sizes.length - 1;
    const values = new LayerValues(random, options.initialization);
    for (let layer = 1; layer <= layers; layer++) {
      values.dense(`fc${layer}`, sizes[layer - 1]!, sizes[layer]!, { last: layer === layers });
    }
    super("multilayer", values.variables);
    this.#width = width;
    this.#layers = layers;
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
