import * as tf from "@tensorflow/tfjs-core";
import { parseOptions } from "../base/index.js";
import { imageChannels } from "./imageShape.js";
import { LayeredModel } from "./layeredModel.js";
import { LayerValues } from "./layerValues.js";
import type { ForwardOptions, ModelRequest } from "./model.js";
import { resnetParameters } from "./modelParameters.js";
import { outputCount } from "./outputs.js";

/** Blocks in each of the four stages, by the number in the model's name. */
const BLOCKS = { 18: [2, 2, 2, 2], 34: [3, 4, 6, 3] } as const;

export type ResnetDepth = keyof typeof BLOCKS;

interface Block {
  readonly name: string;
  readonly stride: number;
  readonly inputs: number;
  readonly outputs: number;
}

/**
 * ResNet of basic blocks (He et al. 2016, arXiv:1512.03385) with torchvision's names of weights. The stem `cifar` is a
 * 3x3 convolution at full size, as Plato has it; `imagenet` is torchvision's: 7x7 at half size and 3x3 max pooling at
 * half of that. Four stages of `width`, 2, 4 and 8 times as many maps follow, each but the first at half the size of
 * the one before; then the mean over places and a dense layer. With ten classes and images of three channels
 * `resnet_18` has 11,173,962 trained weights with the stem `cifar` and 11,181,642 with `imagenet`.
 */
export class Resnet extends LayeredModel {
  readonly #blocks: readonly Block[];
  readonly #halves: boolean;

  /** @throws DATA_INVALID for inputs that are no image */
  constructor(depth: ResnetDepth, { inputShape, classes, parameters, random }: ModelRequest) {
    const name = `resnet_${depth}`;
    const options = parseOptions(resnetParameters, parameters, `[parameters.model] of ${name}`);
    const { width, stem } = options;
    const channels = imageChannels(name, inputShape, 1);
    const values = new LayerValues(random, options.initialization);
    const side = stem === "cifar" ? 3 : 7;
    values.convolution("conv1", [side, side, channels, width], { bias: false });
    values.batchNormalisation("bn1", width);
    const blocks = blocksOf(depth, width);
    for (const block of blocks) addBlock(values, block);
    values.dense("fc", width * 8, outputCount(classes, options.num_classes), { last: true });
    super(name, values.variables);
    this.#blocks = blocks;
    this.#halves = stem === "imagenet";
  }

  override forward(inputs: tf.Tensor, { training }: ForwardOptions): tf.Tensor {
    return tf.tidy(() => {
      const stem = this.#halves
        ? this.convolution(inputs, "conv1", 2, 3)
        : this.convolution(inputs, "conv1", 1, 1);
      let maps: tf.Tensor = tf.relu(this.batchNorm(stem, "bn1", training));
      if (this.#halves) maps = tf.maxPool(maps as tf.Tensor4D, 3, 2, 1);
      for (const block of this.#blocks) maps = this.#block(maps, block, training);
      return this.dense(tf.mean(maps, [1, 2]), "fc");
    });
  }

  #block(inputs: tf.Tensor, block: Block, training: boolean): tf.Tensor {
    const { name, stride } = block;
    const first = this.convolution(inputs, `${name}.conv1`, stride, 1);
    const between = tf.relu(this.batchNorm(first, `${name}.bn1`, training));
    const second = this.convolution(between, `${name}.conv2`, 1, 1);
    const changed = this.batchNorm(second, `${name}.bn2`, training);
    return tf.relu(tf.add(changed, this.#shortcut(inputs, block, training)));
  }

  #shortcut(inputs: tf.Tensor, block: Block, training: boolean): tf.Tensor {
    if (keepsShape(block)) return inputs;
    const name = `${block.name}.downsample`;
    return this.batchNorm(this.convolution(inputs, `${name}.0`, block.stride, 0), `${name}.1`, training);
  }
}

function blocksOf(depth: ResnetDepth, width: number): Block[] {
  let inputs = width;
  return BLOCKS[depth].flatMap((count, stage) =>
    Array.from({ length: count }, (_, place) => {
      const outputs = width * 2 ** stage;
      const stride = stage > 0 && place === 0 ? 2 : 1;
      const block = { name: `layer${stage + 1}.${place}`, stride, inputs, outputs };
      inputs = outputs;
      return block;
    }),
  );
}

function addBlock(values: LayerValues, block: Block): void {
  const { name, inputs, outputs } = block;
  values.convolution(`${name}.conv1`, [3, 3, inputs, outputs], { bias: false });
  values.batchNormalisation(`${name}.bn1`, outputs);
  values.convolution(`${name}.conv2`, [3, 3, outputs, outputs], { bias: false });
  values.batchNormalisation(`${name}.bn2`, outputs);
  if (keepsShape(block)) return;
  values.convolution(`${name}.downsample.0`, [1, 1, inputs, outputs], { bias: false });
  values.batchNormalisation(`${name}.downsample.1`, outputs);
}

function keepsShape({ stride, inputs, outputs }: Block): boolean {
  return stride === 1 && inputs === outputs;
}
