import { tf } from "../../../src/compute/index.js";
import { floats, type OperationCase } from "./operationCase.js";

/** m, n, k: ones, primes, sizes at and across the borders of tiles (4, 8) and blocks (64, 256). */
const SIZES = [
  [1, 1, 1],
  [1, 8, 3],
  [4, 8, 2],
  [5, 9, 7],
  [3, 1, 11],
  [13, 50, 17],
  [67, 65, 33],
  [6, 10, 259],
  [33, 261, 5],
  [2, 270, 300],
  [3, 131, 6],
] as const;
const FLIPS = [
  [false, false],
  [true, false],
  [false, true],
  [true, true],
] as const;

const BATCHES = [
  [[3], [3]],
  [[1], [3]],
  [[3], [1]],
  [
    [2, 3],
    [2, 3],
  ],
  [[2, 3], []],
] as const;

export const productCases: readonly OperationCase[] = [
  ...SIZES.flatMap(([m, n, k]) => FLIPS.map(([left, right]) => product([], [], m, n, k, left, right, true))),
  // The core's own gradient does not undo the broadcast of a stack, on any back end.
  ...BATCHES.flatMap(([a, b]) =>
    FLIPS.map(([left, right]) => product(a, b, 5, 9, 7, left, right, a.join() === b.join())),
  ),
  { name: "product over nothing", inputs: [floats([2, 0]), floats([0, 3])], run: (a, b) => tf.matMul(a, b) },
  { name: "product of no rows", inputs: [floats([0, 2]), floats([2, 3])], run: (a, b) => tf.matMul(a, b) },
  {
    name: "product of an empty stack",
    inputs: [floats([0, 2, 3]), floats([0, 3, 2])],
    run: (a, b) => tf.matMul(a, b),
  },
  { name: "dot of vectors", inputs: [floats([7]), floats([7])], run: (a, b) => tf.dot(a, b), by: [0, 1] },
  {
    name: "outer product",
    inputs: [floats([5]), floats([3])],
    run: (a, b) => tf.outerProduct(a as tf.Tensor1D, b as tf.Tensor1D),
    by: [0, 1],
  },
  ...(["linear", "relu", "relu6", "elu", "sigmoid", "leakyrelu"] as const).map(
    (activation): OperationCase => ({
      name: `fused product, bias, ${activation}`,
      inputs: [floats([5, 7]), floats([7, 9]), floats([9])],
      run: (a, b, bias) =>
        tf.fused.matMul({ a: a as tf.Tensor2D, b: b as tf.Tensor2D, bias, activation, leakyreluAlpha: 0.2 }),
      ...(activation === "linear" || activation === "relu" ? { by: [0, 1, 2] } : {}),
    }),
  ),
  {
    name: "fused product, prelu",
    inputs: [floats([5, 7]), floats([7, 9]), floats([9])],
    run: (a, b, preluActivationWeights) =>
      tf.fused.matMul({
        a: a as tf.Tensor2D,
        b: b as tf.Tensor2D,
        activation: "prelu",
        preluActivationWeights,
      }),
  },
  ...FLIPS.map(
    ([transposeA, transposeB]): OperationCase => ({
      name: `fused product ${transposeA ? "T" : "N"}${transposeB ? "T" : "N"}`,
      inputs: [floats(transposeA ? [7, 5] : [5, 7]), floats(transposeB ? [9, 7] : [7, 9]), floats([9])],
      run: (a, b, bias) =>
        tf.fused.matMul({ a: a as tf.Tensor2D, b: b as tf.Tensor2D, transposeA, transposeB, bias }),
      by: [0, 1, 2],
    }),
  ),
  {
    name: "fused product with one bias for all",
    inputs: [floats([3, 4]), floats([4, 9]), floats([1])],
    run: (a, b, bias) => tf.fused.matMul({ a: a as tf.Tensor2D, b: b as tf.Tensor2D, bias }),
  },
];

function product(
  aBatch: readonly number[],
  bBatch: readonly number[],
  m: number,
  n: number,
  k: number,
  transposeA: boolean,
  transposeB: boolean,
  differentiable: boolean,
): OperationCase {
  const a = [...aBatch, ...(transposeA ? [k, m] : [m, k])];
  const b = [...bBatch, ...(transposeB ? [n, k] : [k, n])];
  return {
    name: `product of [${a}]${transposeA ? "T" : ""} and [${b}]${transposeB ? "T" : ""}`,
    inputs: [floats(a), floats(b)],
    run: (x, y) => tf.matMul(x, y, transposeA, transposeB),
    ...(differentiable ? { by: [0, 1] } : {}),
  };
}
