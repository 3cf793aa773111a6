import { tf } from "../../../src/compute/index.js";
import { floats, type OperationCase } from "./operationCase.js";

type Pair = readonly [number, number];

/** image [n, h, w, c], filter [kh, kw], output channels, strides, padding, dilations. */
const CONVOLUTIONS: readonly (readonly [
  readonly number[],
  Pair,
  number,
  Pair,
  "same" | "valid" | number,
  Pair?,
])[] = [
  [[1, 1, 1, 1], [1, 1], 1, [1, 1], "valid"],
  [[2, 8, 8, 1], [5, 5], 6, [1, 1], "valid"],
  [[2, 9, 7, 1], [5, 5], 6, [1, 1], "same"],
  [[2, 7, 11, 6], [5, 5], 16, [1, 1], "valid"],
  [[3, 7, 5, 3], [3, 3], 8, [1, 1], "same"],
  [[2, 8, 8, 4], [3, 3], 9, [2, 2], "same"],
  [[2, 9, 9, 4], [3, 3], 9, [2, 2], "valid"],
  [[2, 9, 8, 2], [3, 2], 5, [2, 3], "same"],
  [[1, 9, 8, 2], [2, 3], 5, [3, 1], "valid"],
  [[2, 7, 7, 3], [1, 1], 4, [1, 1], "same"],
  [[2, 7, 7, 3], [1, 1], 4, [2, 2], "same"],
  [[2, 10, 10, 2], [1, 1], 3, [3, 3], "same"],
  [[2, 11, 9, 2], [2, 2], 3, [4, 5], "same"],
  [[2, 11, 9, 2], [2, 2], 3, [4, 5], "valid"],
  [[1, 6, 6, 2], [3, 3], 3, [1, 1], 2],
  [[1, 6, 6, 2], [3, 3], 3, [2, 2], 1],
  [[1, 4, 4, 2], [2, 2], 3, [1, 1], 3],
  [[1, 9, 9, 2], [3, 3], 3, [1, 1], "same", [2, 2]],
  [[2, 9, 10, 3], [3, 2], 9, [1, 1], "valid", [2, 3]],
  [[1, 9, 9, 2], [3, 3], 8, [1, 1], "valid", [1, 2]],
  [[1, 9, 9, 2], [3, 3], 8, [1, 1], "same", [3, 1]],
  [[0, 5, 5, 2], [3, 3], 4, [1, 1], "valid"],
];

/** image, window, strides, padding. */
const POOLS: readonly (readonly [readonly number[], Pair, Pair, "same" | "valid"])[] = [
  [[1, 2, 2, 1], [2, 2], [2, 2], "valid"],
  [[2, 8, 8, 6], [2, 2], [2, 2], "valid"],
  [[2, 7, 9, 5], [2, 2], [2, 2], "same"],
  [[2, 7, 9, 3], [3, 3], [2, 2], "same"],
  [[1, 7, 9, 3], [3, 2], [1, 1], "same"],
  [[1, 7, 9, 3], [3, 2], [1, 2], "valid"],
  [[1, 9, 9, 2], [2, 2], [3, 3], "same"],
  [[1, 9, 9, 2], [2, 2], [3, 4], "valid"],
  [[1, 5, 5, 2], [1, 1], [1, 1], "valid"],
  [[1, 5, 5, 2], [1, 1], [2, 2], "valid"],
  [[1, 5, 5, 17], [5, 5], [5, 5], "valid"],
  [[0, 4, 4, 2], [2, 2], [2, 2], "valid"],
];

export const convolutionCases: readonly OperationCase[] = [
  ...CONVOLUTIONS.map(([image, [kh, kw], o, strides, pad, dilations = [1, 1]]): OperationCase => {
    const solid = dilations[0] === 1 && dilations[1] === 1;
    return {
      name: `convolution of [${image}] by ${kh}x${kw}x${o}, stride ${strides}, ${pad}, dilation ${dilations}`,
      inputs: [floats(image), floats([kh, kw, image[3]!, o])],
      run: (x, filter) =>
        tf.conv2d(x as tf.Tensor4D, filter as tf.Tensor4D, [...strides], pad, "NHWC", [...dilations]),
      // The core has no gradient of dilated convolutions.
      ...(solid ? { by: [0, 1] } : {}),
    };
  }),
  {
    name: "convolution that rounds up",
    inputs: [floats([1, 6, 6, 1]), floats([3, 3, 1, 2])],
    run: (x, f) => tf.conv2d(x as tf.Tensor4D, f as tf.Tensor4D, 2, 0, "NHWC", 1, "ceil"),
  },
  ...(["linear", "relu", "sigmoid"] as const).map(
    (activation): OperationCase => ({
      name: `fused convolution, bias, ${activation}`,
      inputs: [floats([2, 7, 7, 3]), floats([3, 3, 3, 5]), floats([5])],
      run: (x, filter, bias) =>
        tf.fused.conv2d({
          x: x as tf.Tensor4D,
          filter: filter as tf.Tensor4D,
          strides: 2,
          pad: "same",
          bias,
          activation,
        }),
      ...(activation === "sigmoid" ? {} : { by: [0, 1, 2] }),
    }),
  ),
  {
    name: "fused convolution with a stride beyond the filter",
    inputs: [floats([2, 9, 9, 2]), floats([2, 2, 2, 3]), floats([3])],
    run: (x, filter, bias) =>
      tf.fused.conv2d({
        x: x as tf.Tensor4D,
        filter: filter as tf.Tensor4D,
        strides: 4,
        pad: "same",
        bias,
        activation: "relu",
      }),
  },
  {
    name: "transposed convolution",
    inputs: [floats([2, 4, 5, 3]), floats([3, 3, 2, 3])],
    run: (x, filter) => tf.conv2dTranspose(x as tf.Tensor4D, filter as tf.Tensor4D, [2, 8, 10, 2], 2, "same"),
    by: [0, 1],
  },
  {
    name: "convolution of a sequence",
    inputs: [floats([2, 11, 3]), floats([5, 3, 4])],
    run: (x, filter) => tf.conv1d(x as tf.Tensor3D, filter as tf.Tensor3D, 2, "same"),
    by: [0, 1],
  },
  ...POOLS.flatMap(([image, window, strides, pad]) =>
    [tf.maxPool, tf.avgPool].flatMap((pool, kind) =>
      [
        [-2, 2],
        [-3, -1],
      ].map(
        ([low, high]): OperationCase => ({
          name: `${kind === 0 ? "maximum" : "average"} of [${image}] in ${window}, stride ${strides}, ${pad}, from ${low}`,
          inputs: [floats(image, [low!, high!])],
          run: (x) => pool(x as tf.Tensor4D, [...window], [...strides], pad),
          by: [0],
        }),
      ),
    ),
  ),
  {
    name: "maximum of equal values",
    inputs: [{ shape: [1, 4, 4, 1], values: [0, 0, 1, 1, 0, 0, 1, 1, -1, -2, 5, 5, -1, -1, 5, 5] }],
    run: (x) => tf.maxPool(x as tf.Tensor4D, 2, 2, "valid"),
    by: [0],
  },
  {
    name: "maximum of equal values in six channels",
    inputs: [
      { shape: [1, 4, 4, 6], values: Array.from({ length: 96 }, (_, index) => Math.floor(index / 7) % 3) },
    ],
    run: (x) => tf.maxPool(x as tf.Tensor4D, [3, 2], 1, "same"),
    by: [0],
  },
];
