import * as tf from "@tensorflow/tfjs-core";
import { ElenchusError, parseOptions, type Random } from "../base/index.js";
import { glorotUniform, heNormal, zeros } from "./initialValues.js";
import type { ModelRequest } from "./model.js";
import { lenet5Parameters } from "./modelParameters.js";
import { outputCount } from "./outputs.js";
import { type InitialVariable, VariableModel } from "./variableModel.js";

const FILTER = 5;
/** Smallest side whose second convolution still has an output. */
const SMALLEST_SIDE = 12;

/**
 * LeNet-5 (LeCun et al. 1998) as Plato has it: 5x5 convolutions with 6 maps (padded) and 16 (not padded),
 * each followed by 2x2 max pooling and ReLU, then dense layers of 120 and 84 units with ReLU and one
 * output per class. On 28x28x1 inputs and ten classes it has 61,706 weights.
 */
export class Lenet5 extends VariableModel {
  readonly #flat: number;

  /** @throws DATA_INVALID for inputs that are no image of at least 12x12 */
  constructor({ inputShape, classes, parameters, random }: ModelRequest) {
    const { num_classes } = parseOptions(lenet5Parameters, parameters, "[parameters.model] of lenet5");
    const flat = flatSize(inputShape);
    super("lenet5", initialVariables(random, inputShape[2]!, flat, outputCount(classes, num_classes)));
    this.#flat = flat;
  }

  override forward(inputs: tf.Tensor): tf.Tensor {
    return tf.tidy(() => {
      let maps = this.#convolution(inputs as tf.Tensor4D, "conv1", "same");
      maps = this.#convolution(maps, "conv2", "valid");
      let units = tf.relu(this.#dense(tf.reshape(maps, [-1, this.#flat]), "fc3"));
      units = tf.relu(this.#dense(units, "fc4"));
      return this.#dense(units, "fc5");
    });
  }

  /** ReLU of the maxima is the maximum of the ReLUs, on a quarter of the numbers. */
  #convolution(inputs: tf.Tensor4D, layer: string, padding: "same" | "valid"): tf.Tensor4D {
    const filter = this.variable(`${layer}.weight`) as tf.Tensor as tf.Tensor4D;
    const maps = tf.add(tf.conv2d(inputs, filter, 1, padding), this.variable(`${layer}.bias`));
    return tf.relu(tf.maxPool(maps as tf.Tensor4D, 2, 2, "valid"));
  }

  #dense(inputs: tf.Tensor2D, layer: string): tf.Tensor2D {
    return tf.add(tf.matMul(inputs, this.variable(`${layer}.weight`)), this.variable(`${layer}.bias`));
  }
}

/** Numbers that reach the first dense layer. */
function flatSize(inputShape: readonly number[]): number {
  const [height = 0, width = 0, channels] = inputShape;
  if (inputShape.length !== 3 || channels === undefined || Math.min(height, width) < SMALLEST_SIDE) {
    throw new ElenchusError(
      "DATA_INVALID",
      `lenet5 cannot take inputs [${inputShape.join(", ")}]: expected [height, width, channels] with sides from ${SMALLEST_SIDE} up. Use another model, for example multilayer.`,
    );
  }
  const side = (length: number) => Math.floor((Math.floor(length / 2) - FILTER + 1) / 2);
  return side(height) * side(width) * 16;
}

function initialVariables(
  random: Random,
  channels: number,
  flat: number,
  outputs: number,
): Map<string, InitialVariable> {
  const area = FILTER * FILTER;
  return new Map([
    ["conv1.weight", heNormal(random, [FILTER, FILTER, channels, 6], area * channels)],
    ["conv1.bias", zeros(6)],
    ["conv2.weight", heNormal(random, [FILTER, FILTER, 6, 16], area * 6)],
    ["conv2.bias", zeros(16)],
    ["fc3.weight", heNormal(random, [flat, 120], flat)],
    ["fc3.bias", zeros(120)],
    ["fc4.weight", heNormal(random, [120, 84], 120)],
    ["fc4.bias", zeros(84)],
    ["fc5.weight", glorotUniform(random, [84, outputs])],
    ["fc5.bias", zeros(outputs)],
  ]);
}
