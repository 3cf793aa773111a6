import { beforeAll, describe, expect, test } from "vitest";
import { silentLogger } from "../../src/base/index.js";
import { loadBackend, tf } from "../../src/compute/index.js";
import { filter, image, numbers } from "./suites/tensors.js";

beforeAll(async () => {
  expect((await loadBackend("wasm", { logger: silentLogger })).kernels).toBe("shared");
});

describe("the gradient of max pooling", () => {
  const gradient = (x: tf.Tensor4D, dy: tf.Tensor4D, size: [number, number], strides: [number, number]) =>
    numbers(tf.grad((input) => tf.maxPool(input as tf.Tensor4D, size, strides, "valid"))(x, dy));

  test("finds the largest of negative inputs", () => {
    const x = image([
      [-3, -1],
      [-2, -4],
    ]);
    expect(gradient(x, image([[7]]), [2, 2], [2, 2])).toEqual([0, 7, 0, 0]);
  });

  test("goes to the first of equal inputs, all zeros included", () => {
    const x = image([
      [0, 0, 1, 5],
      [0, 0, 5, 5],
    ]);
    expect(gradient(x, image([[3, 4]]), [2, 2], [2, 2])).toEqual([3, 0, 0, 4, 0, 0, 0, 0]);
  });

  test("adds up where windows overlap", () => {
    expect(gradient(image([[1, 5, 2]]), image([[3, 4]]), [1, 2], [1, 1])).toEqual([0, 7, 0]);
  });

  test("goes nowhere when nothing is larger than minus infinity", () => {
    const low = Number.NEGATIVE_INFINITY;
    expect(gradient(image([[low, low, 1, 2]]), image([[3, 4]]), [1, 2], [1, 2])).toEqual([0, 0, 0, 4]);
  });
});

describe("convolutions", () => {
  const counted = () =>
    image([
      [1, 2, 3, 4, 5],
      [6, 7, 8, 9, 10],
      [11, 12, 13, 14, 15],
      [16, 17, 18, 19, 20],
      [21, 22, 23, 24, 25],
    ]);
  const ones = () =>
    filter([
      [1, 1],
      [1, 1],
    ]);

  test("skip what a stride larger than the filter skips", () => {
    // Windows at rows and columns 0 and 3: 1+2+6+7, 4+5+9+10, 16+17+21+22, 19+20+24+25.
    expect(numbers(tf.conv2d(counted(), ones(), 3, "same"))).toEqual([16, 28, 76, 88]);
    const fused = tf.fused.conv2d({
      x: counted(),
      filter: ones(),
      strides: 3,
      pad: "same",
      bias: tf.tensor1d([-30]),
      activation: "relu",
    });
    expect(numbers(fused)).toEqual([0, 0, 46, 58]);
  });

  test("leave holes when dilated", () => {
    // Corners of 3x3: 1+3+11+13 and so on, one more for each of the four places a step on.
    const corners = tf.conv2d(counted(), ones(), 1, "valid", "NHWC", 2);
    expect(numbers(corners)).toEqual([28, 32, 36, 48, 52, 56, 68, 72, 76]);
  });

  test("differentiate by the filter", () => {
    const x = image([
      [1, 2, 3],
      [4, 5, 6],
      [7, 8, 9],
    ]);
    const dy = image([
      [1, 0],
      [0, 1],
    ]);
    const gradient = tf.grad((weights) => tf.conv2d(x, weights as tf.Tensor4D, 1, "valid"))(ones(), dy);
    expect(numbers(gradient)).toEqual([1 + 5, 2 + 6, 4 + 8, 5 + 9]);
  });

  test("differentiate by the input", () => {
    const weights = filter([
      [1, 2],
      [3, 4],
    ]);
    const dy = image([
      [1, 10],
      [100, 1000],
    ]);
    const gradient = tf.grad((x) => tf.conv2d(x as tf.Tensor4D, weights, 1, "valid"));
    // Every dy lays the filter over the four inputs it saw.
    expect(numbers(gradient(tf.zeros([1, 3, 3, 1]), dy))).toEqual([
      1, 12, 20, 103, 1234, 2040, 300, 3400, 4000,
    ]);
  });

  test("differentiate by the input across a stride", () => {
    const weights = filter([
      [1, 2],
      [3, 4],
    ]);
    const gradient = tf.grad((x) => tf.conv2d(x as tf.Tensor4D, weights, 2, "valid"));
    const dx = gradient(tf.zeros([1, 2, 5, 1]), image([[1, 10]]));
    // The fifth column is never seen.
    expect(numbers(dx)).toEqual([1, 2, 10, 20, 0, 3, 4, 30, 40, 0]);
  });
});

describe("products", () => {
  let a: tf.Tensor2D;
  beforeAll(() => {
    a = tf.tensor2d([1, 2, 3, 4, 5, 6], [2, 3]);
  });

  test("take either factor transposed", () => {
    // a aT = [[1+4+9, 4+10+18], [32, 16+25+36]]; aT a likewise by columns.
    expect(numbers(tf.matMul(a, a, false, true))).toEqual([14, 32, 32, 77]);
    expect(numbers(tf.matMul(a, a, true, false))).toEqual([17, 22, 27, 22, 29, 36, 27, 36, 45]);
  });

  test("broadcast stacks against each other", () => {
    const left = tf.tensor4d([1, 2, 10, 20], [2, 1, 1, 2]);
    const right = tf.tensor4d([1, 0, 0, 1, 1, 1], [1, 3, 2, 1]);
    const product = tf.matMul(left, right);
    expect(product.shape).toEqual([2, 3, 1, 1]);
    expect(numbers(product)).toEqual([1, 2, 3, 10, 20, 30]);
  });

  test("add a bias and an activation when fused", () => {
    const product = tf.fused.matMul({
      a,
      b: a,
      transposeB: true,
      bias: tf.tensor1d([-20, -40]),
      activation: "relu",
    });
    expect(numbers(product)).toEqual([0, 0, 12, 37]);
  });

  test("refuse integers and unequal inner sizes", () => {
    expect(() => tf.matMul(tf.cast(a, "int32"), tf.cast(a, "int32"), false, true)).toThrow(/float32/);
    expect(() => tf.matMul(a, a)).toThrow(/inner/i);
  });
});

describe("the rest", () => {
  test("segments are summed by id, strange ids left out", () => {
    const x = tf.tensor2d([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [5, 2]);
    const sums = tf.unsortedSegmentSum(x, tf.tensor1d([2, 0, 3, -1, 2], "int32"), 3);
    expect(numbers(sums)).toEqual([3, 4, 0, 0, 1 + 9, 2 + 10]);
  });

  test("sums run over any axes", () => {
    const x = tf.tensor3d([1, 2, 3, 4, 5, 6, 7, 8], [2, 2, 2]);
    expect(numbers(tf.sum(x, 0))).toEqual([6, 8, 10, 12]);
    expect(numbers(tf.sum(x, 1))).toEqual([4, 6, 12, 14]);
    expect(numbers(tf.sum(x, [0, 2]))).toEqual([1 + 2 + 5 + 6, 3 + 4 + 7 + 8]);
    expect(numbers(tf.sum(x))).toEqual([36]);
    expect(tf.sum(x, [0, 1], true).shape).toEqual([1, 1, 2]);
  });

  test("a sum of 100,000 tenths stays within a millionth", () => {
    const tenth = Math.fround(0.1);
    const sum = numbers(tf.sum(tf.fill([100_000], 0.1)))[0]!;
    expect(Math.abs(sum / (100_000 * tenth) - 1)).toBeLessThan(1e-6);
  });

  test("a cast to bool gives 0 and 1", () => {
    const bits = tf.cast(tf.tensor1d([0, -0, 0.25, -3, 256, Number.NaN]), "bool");
    expect([bits.dtype, ...numbers(bits)]).toEqual(["bool", 0, 0, 1, 1, 1, 1]);
    expect(numbers(tf.cast(tf.tensor1d([0, 256, -256], "int32"), "bool"))).toEqual([0, 1, 1]);
  });

  test("a floor division gives integers", () => {
    const quotient = tf.floorDiv(tf.tensor1d([-7, 7, 5]), tf.tensor1d([2, 2, -2]));
    expect([quotient.dtype, ...numbers(quotient)]).toEqual(["int32", -4, 3, -3]);
  });

  test("a clone shares the data and outlives its original", () => {
    const original = tf.tensor1d([1, 2, 3]);
    const before = tf.memory().numDataBuffers;
    const clone = tf.clone(original);
    expect(tf.memory().numDataBuffers).toBe(before);
    original.dispose();
    expect(numbers(clone)).toEqual([1, 2, 3]);
  });

  test("a clone of a variable keeps the old value when a new one is assigned", () => {
    const variable = tf.variable(tf.tensor1d([1, 2]));
    const clone = tf.clone(variable as tf.Tensor);
    variable.assign(tf.tensor1d([8, 9]));
    expect([numbers(clone), numbers(variable as tf.Tensor)]).toEqual([
      [1, 2],
      [8, 9],
    ]);
  });
});
