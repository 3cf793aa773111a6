import * as tf from "@tensorflow/tfjs-core";
import { ElenchusError, parseOptions, type Random } from "../base/index.js";
import { dropoutMask } from "./causal/dropoutMask.js";
import { type DenseLayerPlan, planLayers } from "./generalMultilayerPlan.js";
import { LayeredModel } from "./layeredModel.js";
import { LayerValues } from "./layerValues.js";
import type { ForwardOptions, ModelRequest } from "./model.js";
import { type ActivationName, generalMultilayerParameters } from "./modelParameters.js";

/**
 * Plato's multilayer perceptron of any form: dense layers, each followed by batch normalisation, activation and
 * dropout where it has them. Weights are named as Plato's: `layer1.fc.weight`, `layer1.bn.weight`.
 */
export class GeneralMultilayer extends LayeredModel {
  readonly #width: number;
  readonly #layers: readonly DenseLayerPlan[];

  /** @throws CONFIG_INVALID for lists of different lengths, or an `input_dim` that is not the data's */
  constructor(request: ModelRequest) {
    const where = "[parameters.model] of general_multilayer";
    const options = parseOptions(generalMultilayerParameters, request.parameters, where);
    const layers = planLayers(options, request);
    const values = new LayerValues(request.random, options.initialization);
    for (const { name, inputs, outputs, norm, last } of layers) {
      values.dense(`${name}.fc`, inputs, outputs, { last });
      if (norm !== null) values.batchNormalisation(`${name}.bn`, outputs);
    }
    super("general_multilayer", values.variables);
    this.#width = layers[0]!.inputs;
    this.#layers = layers;
  }

  override forward(inputs: tf.Tensor, { training, random }: ForwardOptions): tf.Tensor {
    return tf.tidy(() => {
      let units: tf.Tensor = tf.reshape(inputs, [-1, this.#width]);
      for (const { name, norm, activation, dropout } of this.#layers) {
        units = this.dense(units, `${name}.fc`);
        if (norm !== null) units = this.batchNorm(units, `${name}.bn`, training, norm);
        if (activation !== null) units = ACTIVATIONS[activation](units);
        if (training && dropout > 0) units = dropped(units, dropout, random);
      }
      return units;
    });
  }
}

const ACTIVATIONS: Readonly<Record<ActivationName, (units: tf.Tensor) => tf.Tensor>> = {
  relu: tf.relu,
  sigmoid: tf.sigmoid,
  tanh: tf.tanh,
  softmax: (units) => tf.softmax(units),
  log_softmax: (units) => tf.logSoftmax(units),
};

/** Each number stays with probability 1 - rate, and counts for those that do not. */
function dropped(units: tf.Tensor, rate: number, random: Random | undefined): tf.Tensor {
  if (random === undefined) {
    throw new ElenchusError(
      "CAPABILITY_MISSING",
      "general_multilayer has dropout and needs `random` in training: what is left out follows from it. A training step of your own passes it to `forward`.",
    );
  }
  return tf.mul(units, dropoutMask(units.shape, rate, [random.uint32(), random.uint32()]));
}
