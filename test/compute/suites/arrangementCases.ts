import { tf } from "../../../src/compute/index.js";
import { floats, type OperationCase } from "./operationCase.js";

const REDUCTIONS: Readonly<
  Record<string, (x: tf.Tensor, axis?: number | number[], keepDims?: boolean) => tf.Tensor>
> = {
  sum: tf.sum,
  mean: tf.mean,
  max: tf.max,
  min: tf.min,
  prod: tf.prod,
  logSumExp: tf.logSumExp,
};
const AXES: readonly (readonly [readonly number[], number | number[] | undefined])[] = [
  [[7], undefined],
  [[1], 0],
  [[33], 0],
  [[3, 5], 0],
  [[3, 5], 1],
  [
    [3, 5],
    [0, 1],
  ],
  [[301, 7], 0],
  [
    [2, 3, 4, 5],
    [0, 1, 2],
  ],
  [
    [2, 3, 4, 5],
    [1, 2],
  ],
  [
    [2, 3, 4, 5],
    [0, 2],
  ],
  [
    [2, 3, 4, 5],
    [-1, 0],
  ],
  [[2, 3, 4, 5], -2],
  [[2, 1, 3], 1],
];

export const reductionCases: readonly OperationCase[] = [
  ...Object.entries(REDUCTIONS).flatMap(([name, run]) =>
    AXES.flatMap(([shape, axis]) =>
      [false, true].map((keepDims) => ({
        name: `${name} of [${shape}] over ${axis ?? "all"}${keepDims ? ", kept" : ""}`,
        inputs: [floats(shape, name === "prod" ? [0.9, 1.1] : [-2, 2])],
        run: (x: tf.Tensor) => run(x, axis, keepDims),
        // The core's gradient of a product needs the umbrella package.
        ...(name === "prod" ? {} : { by: [0] }),
      })),
    ),
  ),
  { name: "sum of nothing", inputs: [floats([0])], run: (x) => tf.sum(x) },
  { name: "sum over an empty axis", inputs: [floats([0, 3])], run: (x) => tf.sum(x, 0) },
  { name: "sum over no axis", inputs: [floats([2, 3])], run: (x) => tf.sum(x, []) },
  { name: "sum of a long row", inputs: [floats([100_003], [0, 1])], run: (x) => tf.sum(x), by: [0] },
  { name: "sum of long columns", inputs: [floats([20_011, 5], [0, 1])], run: (x) => tf.sum(x, 0) },
  { name: "sum of integers", inputs: [{ shape: [3, 4], dtype: "int32" }], run: (x) => tf.sum(x, 0) },
  {
    name: "sum of booleans",
    inputs: [{ shape: [3, 4], dtype: "bool", range: [0, 2] }],
    run: (x) => tf.sum(x, 1),
  },
  {
    name: "argMax and argMin",
    inputs: [floats([5, 7])],
    run: (x) => [tf.argMax(x, 1), tf.argMin(x, 0), tf.argMax(x, -1)],
  },
  {
    name: "argMax of equal values",
    inputs: [{ shape: [2, 3], values: [1, 3, 3, 0, 0, 0] }],
    run: (x) => tf.argMax(x, 1),
  },
  {
    name: "any and all",
    inputs: [{ shape: [3, 4], dtype: "bool", range: [0, 2] }],
    run: (x) => [tf.any(x, 1), tf.all(x, 0)],
  },
  {
    name: "topk",
    inputs: [floats([3, 9])],
    run: (x) => {
      const { values, indices } = tf.topk(x, 4);
      return [values, indices];
    },
  },
  { name: "cumsum", inputs: [floats([3, 5])], run: (x) => tf.cumsum(x, 1), by: [0] },
  {
    name: "moments",
    inputs: [floats([4, 6])],
    run: (x) => {
      const { mean, variance } = tf.moments(x, 1);
      return [mean, variance];
    },
    by: [0],
  },
  ...[
    [1, 1],
    [3, 10],
    [5, 17],
    [2, 3, 11],
  ].flatMap((shape) => [
    {
      name: `softmax of [${shape}]`,
      inputs: [floats(shape, [-8, 8])],
      run: (x: tf.Tensor) => tf.softmax(x),
      by: [0],
    },
    {
      name: `logSoftmax of [${shape}]`,
      inputs: [floats(shape, [-8, 8])],
      run: (x: tf.Tensor) => tf.logSoftmax(x),
      by: [0],
    },
  ]),
];

export const arrangementCases: readonly OperationCase[] = [
  { name: "reshape", inputs: [floats([2, 6])], run: (x) => tf.reshape(x, [3, -1]), by: [0] },
  { name: "flatten of nothing", inputs: [floats([0, 2, 2])], run: (x) => tf.reshape(x, [0, 4]) },
  ...[
    [1, 0, 2],
    [2, 1, 0],
    [0, 2, 1],
    [2, 0, 1],
  ].map((perm) => ({
    name: `transpose [${perm}]`,
    inputs: [floats([2, 3, 5])],
    run: (x: tf.Tensor) => tf.transpose(x, perm),
    by: [0],
  })),
  {
    name: "transpose of four axes",
    inputs: [floats([2, 3, 4, 5])],
    run: (x) => tf.transpose(x, [0, 2, 1, 3]),
    by: [0],
  },
  ...[0, 1, -1].map((axis) => ({
    name: `concat along ${axis}`,
    inputs: [floats([2, 3]), floats([2, 3])],
    run: (a: tf.Tensor, b: tf.Tensor) => tf.concat([a, b], axis),
    by: [0, 1],
  })),
  {
    name: "concat with nothing",
    inputs: [floats([0, 3]), floats([2, 3])],
    run: (a, b) => tf.concat([a, b], 0),
  },
  { name: "slice", inputs: [floats([5, 7])], run: (x) => tf.slice(x, [1, 2], [3, 4]), by: [0] },
  {
    name: "slice of one image",
    inputs: [floats([3, 4, 4, 2])],
    run: (x) => tf.slice(x, [1, 0, 1, 0], [1, 4, 2, 2]),
    by: [0],
  },
  { name: "slice to nothing", inputs: [floats([5])], run: (x) => tf.slice(x, [2], [0]) },
  { name: "stridedSlice", inputs: [floats([7, 5])], run: (x) => tf.stridedSlice(x, [0, 1], [7, 5], [2, 2]) },
  { name: "split", inputs: [floats([4, 6])], run: (x) => tf.split(x, 3, 1), by: [0] },
  {
    name: "stack and unstack",
    inputs: [floats([2, 3]), floats([2, 3])],
    run: (a, b) => tf.unstack(tf.stack([a, b], 1), 0),
    by: [0, 1],
  },
  {
    name: "pad",
    inputs: [floats([2, 3, 1])],
    run: (x) =>
      tf.pad(x, [
        [0, 1],
        [2, 0],
        [0, 0],
      ]),
    by: [0],
  },
  { name: "tile", inputs: [floats([2, 3])], run: (x) => tf.tile(x, [3, 2]), by: [0] },
  {
    name: "expandDims and squeeze",
    inputs: [floats([2, 1, 3])],
    run: (x) => tf.squeeze(tf.expandDims(x, 0)),
    by: [0],
  },
  { name: "reverse", inputs: [floats([3, 4])], run: (x) => tf.reverse(x, 1), by: [0] },
  {
    name: "oneHot",
    inputs: [{ shape: [5], dtype: "int32", values: [0, 3, 1, 3, 9] }],
    run: (x) => tf.oneHot(x, 4),
  },
  {
    name: "gather of rows",
    inputs: [floats([5, 3]), { shape: [7], dtype: "int32", values: [4, 0, 0, 2, 4, 1, 4] }],
    run: (x, indices) => tf.gather(x, indices as tf.Tensor1D),
    by: [0],
  },
  {
    name: "gather of columns",
    inputs: [floats([3, 5]), { shape: [4], dtype: "int32", values: [4, 0, 0, 2] }],
    run: (x, indices) => tf.gather(x, indices as tf.Tensor1D, 1),
    by: [0],
  },
  {
    name: "embedding of a batch of texts",
    inputs: [floats([11, 9]), { shape: [2, 5], dtype: "int32", values: [10, 0, 3, 3, 3, 7, 7, 1, 0, 10] }],
    run: (x, indices) => tf.gather(x, indices),
    by: [0],
  },
  {
    name: "unsortedSegmentSum",
    inputs: [floats([6, 5]), { shape: [6], dtype: "int32", values: [2, 0, 2, 7, -1, 0] }],
    run: (x, ids) => tf.unsortedSegmentSum(x, ids as tf.Tensor1D, 3),
  },
  {
    name: "unsortedSegmentSum of numbers",
    inputs: [floats([4]), { shape: [4], dtype: "int32", values: [1, 1, 0, 1] }],
    run: (x, ids) => tf.unsortedSegmentSum(x, ids as tf.Tensor1D, 2),
  },
];
