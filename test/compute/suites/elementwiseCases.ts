import { tf } from "../../../src/compute/index.js";
import { floats, type OperationCase } from "./operationCase.js";

const SHAPES = [[1], [7], [3, 5], [2, 3, 4, 5], [17, 33], [0, 3]] as const;

type Unary = (x: tf.Tensor) => tf.Tensor;
const SMOOTH: Readonly<Record<string, Unary>> = {
  relu: tf.relu,
  relu6: (x) => tf.relu6(tf.mul(x, 5)),
  elu: tf.elu,
  selu: tf.selu,
  sigmoid: tf.sigmoid,
  tanh: (x) => tf.tanh(tf.mul(x, 4)),
  exp: tf.exp,
  square: tf.square,
  abs: tf.abs,
  neg: tf.neg,
  softplus: tf.softplus,
  erf: tf.erf,
  leakyRelu: (x) => tf.leakyRelu(x, 0.1),
  sin: tf.sin,
  cos: tf.cos,
  clipByValue: (x) => tf.clipByValue(x, -0.5, 1),
  gelu: (x) => tf.mul(tf.mul(x, 0.5), tf.add(tf.erf(tf.div(x, Math.SQRT2)), 1)),
  clone: tf.clone,
};
const POSITIVE: Readonly<Record<string, Unary>> = {
  log: tf.log,
  log1p: tf.log1p,
  sqrt: tf.sqrt,
  rsqrt: tf.rsqrt,
  reciprocal: tf.reciprocal,
  "pow 1.5": (x) => tf.pow(x, 1.5),
};
const STEPS: Readonly<Record<string, Unary>> = {
  step: (x) => tf.step(x),
  sign: tf.sign,
  floor: tf.floor,
  ceil: tf.ceil,
  isNaN: tf.isNaN,
  isFinite: tf.isFinite,
  zerosLike: tf.zerosLike,
  onesLike: tf.onesLike,
};

const PAIRS = [
  [[1], [1]],
  [[5], [5]],
  [
    [3, 1],
    [1, 4],
  ],
  [[2, 3, 5], [5]],
  [[], [2, 3]],
  [
    [2, 1, 3],
    [7, 1],
  ],
  [
    [0, 3],
    [1, 3],
  ],
] as const;
type Binary = (a: tf.Tensor, b: tf.Tensor) => tf.Tensor;
const BINARY: Readonly<Record<string, Binary>> = {
  add: tf.add,
  sub: tf.sub,
  mul: tf.mul,
};
// The core's gradients of these do not undo a broadcast, on any back end.
const BINARY_OF_EQUAL_SHAPES: Readonly<Record<string, Binary>> = {
  maximum: tf.maximum,
  minimum: tf.minimum,
  squaredDifference: tf.squaredDifference,
};
const BY_POSITIVE: Readonly<Record<string, Binary>> = { div: tf.div, pow: (a, b) => tf.pow(tf.abs(a), b) };
const COMPARISONS: Readonly<Record<string, Binary>> = {
  equal: tf.equal,
  notEqual: tf.notEqual,
  less: tf.less,
  lessEqual: tf.lessEqual,
  greater: tf.greater,
  greaterEqual: tf.greaterEqual,
};

const TYPES = ["float32", "int32", "bool"] as const;

export const elementwiseCases: readonly OperationCase[] = [
  ...unary(SMOOTH, [-2, 2], true),
  ...unary(POSITIVE, [0.1, 3], true),
  ...unary(STEPS, [-2, 2], false),
  ...binary(BINARY, [-2, 2], true),
  ...binary(BY_POSITIVE, [0.5, 2], true),
  ...binary(BINARY_OF_EQUAL_SHAPES, [-2, 2], false),
  ...Object.entries(BINARY_OF_EQUAL_SHAPES).map(([name, run]) => ({
    name: `gradient of ${name}`,
    inputs: [floats([3, 5]), floats([3, 5])],
    run: (a: tf.Tensor, b: tf.Tensor) => run(a, b),
    by: [0, 1],
  })),
  ...binary({ mod: tf.mod, floorDiv: tf.floorDiv }, [0.5, 3], false),
  ...Object.entries(COMPARISONS).flatMap(([name, run]) =>
    (["float32", "int32"] as const).map((dtype) => ({
      name: `${name} of ${dtype}`,
      inputs: [
        { shape: [3, 7], dtype, values: Array.from({ length: 21 }, (_, index) => index % 4) },
        { shape: [7], dtype, values: [0, 1, 2, 3, 2, 1, 0] },
      ],
      run: (a: tf.Tensor, b: tf.Tensor) => run(a, b),
    })),
  ),
  ...TYPES.flatMap((from) =>
    TYPES.map((to) => ({
      name: `cast ${from} to ${to}`,
      inputs: [
        {
          shape: [7],
          dtype: from,
          values:
            from === "bool"
              ? [0, 1, 1, 0, 1, 0, 0]
              : from === "int32"
                ? [0, 1, -1, 256, 512, 7, -256]
                : [0, -0, 0.25, -1.5, 254.7, 256, -1e-7],
        },
      ],
      run: (x: tf.Tensor) => tf.cast(x, to),
    })),
  ),
  { name: "cast of nothing to bool", inputs: [floats([0, 2])], run: (x) => tf.cast(x, "bool") },
  {
    name: "cast of NaN to bool",
    inputs: [{ shape: [2], values: [Number.NaN, 0] }],
    run: (x) => tf.cast(x, "bool"),
  },
  {
    name: "floorDiv of negative floats",
    inputs: [
      { shape: [4], values: [-7, 7, -7.5, 1] },
      { shape: [4], values: [2, -2, 2.5, 3] },
    ],
    run: (a, b) => tf.floorDiv(a, b),
  },
  {
    name: "floorDiv of integers",
    inputs: [
      { shape: [4], dtype: "int32", values: [-7, 7, 6, 0] },
      { shape: [4], dtype: "int32", values: [2, -2, 3, 5] },
    ],
    run: (a, b) => tf.floorDiv(a, b),
  },
  {
    name: "where",
    inputs: [{ shape: [3, 4], dtype: "bool", range: [0, 2] }, floats([3, 4]), floats([3, 4])],
    run: (condition, a, b) => tf.where(condition, a, b),
    by: [1, 2],
  },
  {
    name: "logical operations",
    inputs: [
      { shape: [9], dtype: "bool", range: [0, 2] },
      { shape: [9], dtype: "bool", range: [0, 2] },
    ],
    run: (a, b) => [tf.logicalAnd(a, b), tf.logicalOr(a, b), tf.logicalNot(a), tf.logicalXor(a, b)],
  },
  {
    name: "addN",
    inputs: [floats([3, 2]), floats([3, 2]), floats([3, 2])],
    run: (...all) => tf.addN(all),
    by: [0, 2],
  },
  { name: "prelu", inputs: [floats([2, 5]), floats([5])], run: (x, alpha) => tf.prelu(x, alpha), by: [0, 1] },
];

function unary(
  operations: Readonly<Record<string, Unary>>,
  range: [number, number],
  smooth: boolean,
): OperationCase[] {
  return Object.entries(operations).flatMap(([name, run]) =>
    SHAPES.map((shape) => ({
      name: `${name} of [${shape}]`,
      inputs: [floats(shape, range)],
      run: (x: tf.Tensor) => run(x),
      ...(smooth ? { by: [0] } : {}),
    })),
  );
}

function binary(
  operations: Readonly<Record<string, Binary>>,
  range: [number, number],
  smooth: boolean,
): OperationCase[] {
  return Object.entries(operations).flatMap(([name, run]) =>
    PAIRS.map(([a, b]) => ({
      name: `${name} of [${a}] and [${b}]`,
      inputs: [floats(a, range), floats(b, range)],
      run: (x: tf.Tensor, y: tf.Tensor) => run(x, y),
      // Nor can the core differentiate a broadcast to nothing.
      ...(smooth && !a.includes(0 as never) ? { by: [0, 1] } : {}),
    })),
  );
}
