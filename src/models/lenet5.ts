import * as tf from "@tensorflow/tfjs-core";
import { parseOptions } from "../base/index.js";
import { imageChannels } from "./imageShape.js";
import { LayeredModel } from "./layeredModel.js";
import { LayerValues } from "./layerValues.js";
import type { ForwardOptions, ModelRequest } from "./model.js";
import { lenet5Parameters } from "./modelParameters.js";
import { outputCount } from "./outputs.js";

const FILTER = 5;
/** Smallest side whose second convolution still has an output. */
const SMALLEST_SIDE = 12;

/**
 * LeNet-5 (LeCun et al. 1998) as Plato has it: 5x5 convolutions with 6 maps (padded) and 16 (not padded),
 * each followed by 2x2 max pooling and ReLU, then dense layers of 120 and 84 units with ReLU and one
 * output per class. On 28x28x1 inputs and ten classes it has 61,706 weights. With `batch_norm` every layer but the
 * last has batch normalisation, `bn1` to `bn4`, before its ReLU.
 */
export class Lenet5 extends LayeredModel {
  readonly #flat: number;
  readonly #normalised: boolean;

  /** @throws DATA_INVALID for inputs that are no image of at least 12x12 */
  constructor({ inputShape, classes, parameters, random }: ModelRequest) {
    const options = parseOptions(lenet5Parameters, parameters, "[parameters.model] of lenet5");
    const channels = imageChannels("lenet5", inputShape, SMALLEST_SIDE);
    const flat = flatSize(inputShape);
    const values = new LayerValues(random, options.initialization)
      .convolution("conv1", [FILTER, FILTER, channels, 6])
      .convolution("conv2", [FILTER, FILTER, 6, 16])
      .dense("fc3", flat, 120)
      .dense("fc4", 120, 84)
      .dense("fc5", 84, outputCount(classes, options.num_classes), { last: true });
    if (options.batch_norm) {
      for (const [place, maps] of [6, 16, 120, 84].entries())
        values.batchNormalisation(`bn${place + 1}`, maps);
    }
    super("lenet5", values.variables);
    this.#flat = flat;
    this.#normalised = options.batch_norm;
  }

  override forward(inputs: tf.Tensor, { training }: ForwardOptions): tf.Tensor {
    const norm = (units: tf.Tensor, name: string) =>
      this.#normalised ? this.batchNorm(units, name, training) : units;
    return tf.tidy(() => {
      let maps = tf.relu(norm(pooled(this.convolution(inputs, "conv1", 1, 2)), "bn1"));
      maps = tf.relu(norm(pooled(this.convolution(maps, "conv2", 1, 0)), "bn2"));
      let units = tf.relu(norm(this.dense(tf.reshape(maps, [-1, this.#flat]), "fc3"), "bn3"));
      units = tf.relu(norm(this.dense(units, "fc4"), "bn4"));
      return this.dense(units, "fc5");
    });
  }
}

/** What follows has a quarter of the numbers to work on; ReLU of the maxima is the maximum of the ReLUs. */
function pooled(maps: tf.Tensor): tf.Tensor {
  return tf.maxPool(maps as tf.Tensor4D, 2, 2, "valid");
}

/** Numbers that reach the first dense layer. */
function flatSize([height = 0, width = 0]: readonly number[]): number {
  const side = (length: number) => Math.floor((Math.floor(length / 2) - FILTER + 1) / 2);
  return side(height) * side(width) * 16;
}
