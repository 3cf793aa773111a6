import { tf } from "../../../src/compute/index.js";
import { type CaseInput, floats, type OperationCase } from "./operationCase.js";

const labels: CaseInput = { shape: [6], dtype: "int32", values: [0, 3, 9, 3, 1, 2] };
const oneHot = (classes: tf.Tensor) => tf.cast(tf.oneHot(classes, 10), "float32");

export const modelCases: readonly OperationCase[] = [
  {
    name: "softmax cross-entropy",
    inputs: [floats([6, 10], [-6, 6]), labels],
    run: (logits, classes) => tf.losses.softmaxCrossEntropy(oneHot(classes), logits),
    by: [0],
  },
  {
    name: "sigmoid cross-entropy",
    inputs: [floats([6, 3], [-6, 6]), { shape: [6, 3], range: [0, 1] }],
    run: (logits, targets) => tf.losses.sigmoidCrossEntropy(targets, logits),
    by: [0],
  },
  {
    name: "cross-entropy by picking log probabilities",
    inputs: [floats([6, 10], [-6, 6]), labels],
    run: (logits, classes) => tf.neg(tf.mean(tf.sum(tf.mul(tf.logSoftmax(logits), oneHot(classes)), 1))),
    by: [0],
  },
  {
    name: "mean squared error",
    inputs: [floats([5, 3]), floats([5, 3])],
    run: (outputs, targets) => tf.losses.meanSquaredError(targets, outputs),
    by: [0],
  },
  {
    name: "huber loss",
    inputs: [floats([5, 3]), floats([5, 3])],
    run: (outputs, targets) => tf.losses.huberLoss(targets, outputs),
    by: [0],
  },
  { name: "dropout", inputs: [floats([4, 9])], run: (x) => tf.dropout(x, 0.4, undefined, 11), by: [0] },
  {
    name: "batch normalisation",
    inputs: [floats([3, 4, 4, 5]), floats([5]), floats([5], [0.5, 2]), floats([5]), floats([5])],
    run: (x, mean, variance, offset, scale) =>
      tf.batchNorm(
        x,
        mean as tf.Tensor1D,
        variance as tf.Tensor1D,
        offset as tf.Tensor1D,
        scale as tf.Tensor1D,
        1e-3,
      ),
    by: [0, 1, 2, 3, 4],
  },
  {
    name: "batch normalisation by the batch's own moments",
    inputs: [floats([7, 5]), floats([5]), floats([5])],
    run: (x, offset, scale) => {
      const { mean, variance } = tf.moments(x, 0);
      return tf.batchNorm(
        x,
        mean as tf.Tensor1D,
        variance as tf.Tensor1D,
        offset as tf.Tensor1D,
        scale as tf.Tensor1D,
        1e-3,
      );
    },
    by: [0, 1, 2],
  },
  {
    name: "layer normalisation",
    inputs: [floats([3, 5, 9]), floats([9]), floats([9])],
    run: (x, offset, scale) => {
      const { mean, variance } = tf.moments(x, -1, true);
      return tf.add(tf.mul(tf.div(tf.sub(x, mean), tf.sqrt(tf.add(variance, 1e-5))), scale), offset);
    },
    by: [0, 1, 2],
  },
  {
    name: "causal attention of three heads",
    inputs: [floats([2, 3, 5, 4]), floats([2, 3, 5, 4]), floats([2, 3, 5, 4])],
    run: (query, key, value) => {
      const scores = tf.div(tf.matMul(query, key, false, true), 2);
      const mask = tf.linalg.bandPart(tf.ones([5, 5]), -1, 0);
      const masked = tf.add(scores, tf.mul(tf.sub(1, mask), -1e9));
      return tf.matMul(tf.softmax(masked), value);
    },
    by: [0, 1, 2],
  },
  {
    name: "LeNet-5, one batch of four",
    inputs: [
      floats([4, 28, 28, 1], [0, 1]),
      floats([5, 5, 1, 6], [-0.3, 0.3]),
      floats([6]),
      floats([5, 5, 6, 16], [-0.1, 0.1]),
      floats([16]),
      floats([400, 120], [-0.1, 0.1]),
      floats([120], [-0.1, 0.1]),
      floats([120, 84], [-0.1, 0.1]),
      floats([84, 10], [-0.1, 0.1]),
    ],
    run: (images, filter1, bias1, filter2, bias2, weights3, bias3, weights4, weights5) => {
      const pool = (x: tf.Tensor) => tf.maxPool(x as tf.Tensor4D, 2, 2, "valid");
      const convolve = (x: tf.Tensor, filter: tf.Tensor, pad: "same" | "valid") =>
        tf.conv2d(x as tf.Tensor4D, filter as tf.Tensor4D, 1, pad);
      const first = pool(tf.relu(tf.add(convolve(images, filter1, "same"), bias1)));
      const second = pool(tf.relu(tf.add(convolve(first, filter2, "valid"), bias2)));
      const third = tf.tanh(tf.add(tf.matMul(tf.reshape(second, [4, 400]), weights3), bias3));
      const logits = tf.matMul(tf.relu(tf.matMul(third, weights4)), weights5);
      return tf.losses.softmaxCrossEntropy(tf.oneHot(tf.tensor1d([1, 7, 0, 3], "int32"), 10), logits);
    },
    by: [0, 1, 2, 3, 4, 5, 6, 7, 8],
  },
  ...optimizerCases(),
];

/** Weights after three steps down a bowl. */
function optimizerCases(): OperationCase[] {
  const makers: Readonly<Record<string, () => tf.Optimizer>> = {
    SGD: () => tf.train.sgd(0.1),
    momentum: () => tf.train.momentum(0.1, 0.9, true),
    Adam: () => tf.train.adam(0.05),
    RMSProp: () => tf.train.rmsprop(0.05),
  };
  return Object.entries(makers).map(([name, make]) => ({
    name: `three steps of ${name}`,
    inputs: [floats([5, 3]), floats([4, 5])],
    run: (start, x) => {
      const optimizer = make();
      const weights = tf.variable(start);
      for (let step = 0; step < 3; step += 1) {
        optimizer.minimize(
          () => tf.mean(tf.square(tf.matMul(x, weights as tf.Tensor2D))) as tf.Scalar,
          false,
          [weights],
        );
      }
      const result = tf.clone(weights as tf.Tensor);
      weights.dispose();
      optimizer.dispose();
      return result;
    },
  }));
}
