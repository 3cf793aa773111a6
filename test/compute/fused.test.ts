import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createRandom, silentLogger } from "../../src/base/index.js";
import { adamStep, attention, normalise, tokenCrossEntropy } from "../../src/compute/fused/index.js";
import { loadBackend, tf } from "../../src/compute/index.js";
import { fusedCases } from "./suites/fusedCases.js";
import { type OperationCase, tensorsOf } from "./suites/operationCase.js";
import { numbers } from "./suites/tensors.js";

beforeAll(async () => {
  await loadBackend("cpu", { logger: silentLogger });
  await loadBackend("wasm", { logger: silentLogger });
});
beforeEach(async () => {
  await tf.setBackend("wasm");
});

/** Far from zero a step changes nothing, or everything. */
const EXTREME = /thousands|far from zero|large/;
const smooth = fusedCases.filter(({ name, by = [] }) => by.length > 0 && !EXTREME.test(name));

describe("gradients of fused operations are slopes", () => {
  test.each(smooth.map((one) => [one.name, one] as const))("%s", (_, one) => {
    for (const input of one.by ?? []) {
      const [slope, gradient] = slopes(one, input);
      expect(Math.abs(slope - gradient)).toBeLessThan(0.01 * Math.max(1, Math.abs(gradient)));
    }
  });

  /** Along a random direction of one input: by small steps forth and back, and by the gradient. */
  function slopes({ name, inputs, run }: OperationCase, input: number): [slope: number, gradient: number] {
    const step = 1e-2;
    return tf.tidy(() => {
      const tensors = tensorsOf({ name, inputs });
      const own = tensors[input]!;
      const direction = unit(own.shape, `${name} direction ${input}`);
      const upstream = unit((run(...tensors) as tf.Tensor).shape, `${name} upstream`);
      const loss = (x: tf.Tensor) =>
        tf.sum(tf.mul(run(...tensors.map((one, at) => (at === input ? x : one))) as tf.Tensor, upstream));
      const at = (distance: number) => loss(tf.add(own, tf.mul(direction, distance))).dataSync()[0]!;
      const gradient = tf.grad((x: tf.Tensor) => loss(x))(own);
      return [(at(step) - at(-step)) / (2 * step), numbers(tf.sum(tf.mul(gradient, direction)))[0]!];
    });
  }

  /** Random numbers whose squares sum up to one. */
  function unit(shape: number[], label: string): tf.Tensor {
    const random = createRandom(5, label);
    const size = shape.reduce((product, extent) => product * extent, 1);
    const values = Array.from({ length: size }, () => random.next() - 0.5);
    const length = Math.hypot(...values);
    return tf.tensor(
      values.map((value) => value / length),
      shape,
    );
  }
});

test("a query that sees nothing gets zeros, and gives no gradient", () => {
  const sight = {
    window: 2,
    queryPlaces: tf.tensor2d([[0, 1, 9]], [1, 3], "int32"),
    keyPlaces: tf.tensor2d([[-1, 0, 1]], [1, 3], "int32"),
    mask: () => undefined,
  };
  const states = tf.ones<tf.Rank.R4>([1, 3, 1, 2]);
  const keys = tf.ones<tf.Rank.R4>([1, 3, 1, 2]);
  const values = tf.tensor4d([7, 7, 1, 2, 3, 4], [1, 3, 1, 2]);
  const run = (q: tf.Tensor, v: tf.Tensor) =>
    attention(q as tf.Tensor4D, keys, v as tf.Tensor4D, { sight, scale: 1 });
  // The first sees only itself, the second both with equal scores, the third is too far from either.
  expect(numbers(run(states, values))).toEqual([1, 2, 2, 3, 0, 0]);
  const [dQ, dV] = tf.grads((q: tf.Tensor, v: tf.Tensor) => tf.sum(run(q, v)))([states, values]);
  expect(numbers(dQ!).slice(4)).toEqual([0, 0]);
  expect(numbers(dV!)).toEqual([0, 0, 1.5, 1.5, 0.5, 0.5]);
});

test("a loss that is no number stays none", () => {
  const logits = tf.tensor2d([0, Number.NaN, 1, 2, 3, 4], [2, 3]);
  const [first, second] = numbers(tokenCrossEntropy(logits, tf.tensor1d([0, 2], "int32")));
  expect(first).toBeNaN();
  expect(second).toBeCloseTo(Math.log(1 + Math.exp(-1) + Math.exp(-2)), 6);
});

describe("a step of Adam is the composed one", () => {
  test.each([1, 3, 5, 33].flatMap((size) => [0, 0.1].map((decay) => [size, decay] as const)))(
    "%i numbers, decay %f",
    async (size, decay) => {
      const random = createRandom(3, "adam");
      const draw = () => Float32Array.from({ length: size }, () => random.next() * 2 - 1);
      const [weights, first, second] = [draw(), draw(), draw()];
      const numbersOf = { beta1: 0.9, beta2: 0.99, rate: 0.01, epsilon: 1e-6, decay, keep: 1 - decay };
      const steps = () =>
        tf.tidy(() => {
          const once = adamStep({ weights: tf.tensor1d(weights), gradient: tf.tensor1d(first) }, numbersOf);
          const twice = adamStep({ ...once, gradient: tf.tensor1d(second) }, numbersOf);
          return [twice.weights, twice.mean, twice.square].map(numbers);
        });
      const fused = steps();
      await tf.setBackend("cpu");
      const composed = steps();
      for (const [index, values] of fused.entries()) {
        for (const [place, value] of values.entries()) {
          expect(value).toBeCloseTo(composed[index]![place]!, 6);
        }
      }
    },
  );
});

test("fused operations leave neither a tensor nor heap behind, and give the same bits each time", () => {
  const heapBytes = () =>
    (tf.backend() as unknown as { wasm: { HEAPU8: Uint8Array } }).wasm.HEAPU8.buffer.byteLength;
  const round = () =>
    tf.tidy(() =>
      fusedCases.flatMap((one) => {
        const tensors = tensorsOf(one);
        const by = (one.by ?? [])[0] ?? 0;
        const loss = (x: tf.Tensor) =>
          tf.sum(one.run(...tensors.map((tensor, at) => (at === by ? x : tensor))) as tf.Tensor);
        return numbers(tf.grad((x: tf.Tensor) => loss(x))(tensors[by]!));
      }),
    );
  const first = round();
  const [{ numTensors, numDataBuffers }, heap] = [tf.memory(), heapBytes()];
  for (let index = 0; index < 5; index += 1) expect(round()).toEqual(first);
  expect(tf.memory()).toMatchObject({ numTensors, numDataBuffers });
  expect(heapBytes()).toBe(heap);
});

test("where a type is not float32 the operation is composed", () => {
  const whole = tf.tensor2d([3, -3], [1, 2], "int32");
  expect(numbers(normalise(whole, { epsilon: 0, centred: false }))).toEqual([1, -1]);
});
