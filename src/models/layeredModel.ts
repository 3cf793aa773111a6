import * as tf from "@tensorflow/tfjs-core";
import { normaliseBatch, normaliseBy } from "./batchNormalisation.js";
import { VariableModel } from "./variableModel.js";

/** Numbers of a batch normalisation, as PyTorch's `BatchNorm2d` has them. */
export interface BatchNormSettings {
  /** Share of the batch's statistics in the running ones. */
  readonly momentum: number;
  readonly eps: number;
}

export const BATCH_NORM: BatchNormSettings = { momentum: 0.1, eps: 1e-5 };

/** A model made of layers of the usual kinds, each with its weights under `name.weight`, `name.bias` and so on. */
export abstract class LayeredModel extends VariableModel {
  /**
   * @param inputs [rows, height, width, inputs]
   * @param padding zeros on each side, as PyTorch counts them: `same` would put them on one side only at a stride of 2
   */
  protected convolution(inputs: tf.Tensor, name: string, stride: number, padding: number): tf.Tensor {
    const filter = this.variable(`${name}.weight`) as tf.Tensor4D;
    const maps: tf.Tensor = tf.conv2d(inputs as tf.Tensor4D, filter, stride, padding);
    const bias = this.weight(`${name}.bias`);
    return bias === undefined ? maps : tf.add(maps, bias);
  }

  /** @param inputs [rows, inputs] */
  protected dense(inputs: tf.Tensor, name: string): tf.Tensor {
    const product: tf.Tensor = tf.matMul(
      inputs as tf.Tensor2D,
      this.variable(`${name}.weight`) as tf.Tensor2D,
    );
    return tf.add(product, this.variable(`${name}.bias`));
  }

  /**
   * Batch normalisation of the last axis. In training by the batch, whose statistics go into the running ones (the
   * variance as divided by n - 1); otherwise, and where the running ones are frozen, by those. A batch of one number
   * per channel has no variance and leaves them as they are.
   */
  protected batchNorm(
    inputs: tf.Tensor,
    name: string,
    training: boolean,
    { momentum, eps }: BatchNormSettings = BATCH_NORM,
  ): tf.Tensor {
    const layer = {
      scale: this.variable(`${name}.weight`),
      shift: this.variable(`${name}.bias`),
      epsilon: eps,
    };
    const mean = this.statistic(`${name}.running_mean`);
    const variance = this.statistic(`${name}.running_var`);
    if (!training || mean === undefined || variance === undefined) {
      const [running, spread] = [this.variable(`${name}.running_mean`), this.variable(`${name}.running_var`)];
      return normaliseBy(inputs, { mean: running, variance: spread }, layer);
    }
    const { outputs, batch } = normaliseBatch(inputs, layer);
    const count = inputs.size / inputs.shape.at(-1)!;
    if (count > 1) {
      follow(mean, batch.mean, momentum, 1);
      follow(variance, batch.variance, momentum, count / (count - 1));
    }
    tf.dispose([batch.mean, batch.variance]);
    return outputs;
  }
}

function follow(running: tf.Variable, batch: tf.Tensor, momentum: number, factor: number): void {
  tf.tidy(() => {
    running.assign(tf.add(tf.mul(running, 1 - momentum), tf.mul(batch, momentum * factor)));
  });
}
