import * as tf from "@tensorflow/tfjs-core";
import { parseOptions } from "../base/index.js";
import { imageChannels } from "./imageShape.js";
import { LayeredModel } from "./layeredModel.js";
import { LayerValues } from "./layerValues.js";
import type { ForwardOptions, ModelRequest } from "./model.js";
import { vggParameters } from "./modelParameters.js";
import { outputCount } from "./outputs.js";

/** Convolutions between the poolings, by the number in the model's name. */
const PLANS = { 11: [1, 1, 2, 2, 2], 13: [2, 2, 2, 2, 2], 16: [2, 2, 3, 3, 3], 19: [2, 2, 4, 4, 4] } as const;

export type VggDepth = keyof typeof PLANS;

/** Four poolings of 2x2. */
const SMALLEST_SIDE = 16;

/** A convolution with its batch normalisation, or a pooling. */
type Step = { readonly name: string; readonly norm: string; readonly maps: number } | "pool";

/**
 * VGG with batch normalisation (Simonyan and Zisserman 2015, arXiv:1409.1556) in the form that is usual for CIFAR-10,
 * and that Plato has: 3x3 convolutions with bias, batch normalisation and ReLU in five groups of `width`, 2, 4, 8 and 8
 * times as many maps, 2x2 max pooling between them, the mean over places, and a single dense layer. Convolutions have
 * torchvision's names, `features.0.weight`; the dense layer is `classifier`. With ten classes and images of three
 * channels `vgg_11` has 9,231,114 trained weights (torchvision's own, with three dense layers for images of 224x224,
 * has 128 million).
 */
export class Vgg extends LayeredModel {
  readonly #steps: readonly Step[];

  /** @throws DATA_INVALID for inputs that are no image of at least 16x16 */
  constructor(depth: VggDepth, { inputShape, classes, parameters, random }: ModelRequest) {
    const name = `vgg_${depth}`;
    const options = parseOptions(vggParameters, parameters, `[parameters.model] of ${name}`);
    const values = new LayerValues(random, options.initialization);
    const steps = stepsOf(depth, options.width);
    let maps = imageChannels(name, inputShape, SMALLEST_SIDE);
    for (const step of steps) {
      if (step === "pool") continue;
      values.convolution(step.name, [3, 3, maps, step.maps]);
      values.batchNormalisation(step.norm, step.maps);
      maps = step.maps;
    }
    values.dense("classifier", maps, outputCount(classes, options.num_classes), { last: true });
    super(name, values.variables);
    this.#steps = steps;
  }

  override forward(inputs: tf.Tensor, { training }: ForwardOptions): tf.Tensor {
    return tf.tidy(() => {
      let maps = inputs;
      for (const step of this.#steps) {
        if (step === "pool") maps = tf.maxPool(maps as tf.Tensor4D, 2, 2, "valid");
        else maps = tf.relu(this.batchNorm(this.convolution(maps, step.name, 1, 1), step.norm, training));
      }
      return this.dense(tf.mean(maps, [1, 2]), "classifier");
    });
  }
}

/** Places count as torchvision's do: convolution, normalisation, ReLU, and each pooling. */
function stepsOf(depth: VggDepth, width: number): Step[] {
  const steps: Step[] = [];
  let place = 0;
  for (const [group, count] of PLANS[depth].entries()) {
    if (group > 0) {
      steps.push("pool");
      place += 1;
    }
    for (let one = 0; one < count; one++) {
      const maps = width * Math.min(2 ** group, 8);
      steps.push({ name: `features.${place}`, norm: `features.${place + 1}`, maps });
      place += 3;
    }
  }
  return steps;
}
