import * as tf from "@tensorflow/tfjs-core";
import { describe, expect, test } from "vitest";
import { createRandom } from "../../../src/base/index.js";
import { createModel, type Model } from "../../../src/models/index.js";
import type { WeightArray } from "../../../src/weights/index.js";
import goldens from "../goldens/layered.json" with { type: "json" };

const ROWS = 3;

/** Compares every golden of `layered.py` on the back end that is set. @param tolerance of the largest number */
export function layeredGoldenSuite(backend: string, tolerance: number): void {
  describe.each(goldens)(`$name with $parameters on ${backend}`, (golden) => {
    const { shape, tested, trained } = golden;
    const make = async (): Promise<Model> => {
      const { name, parameters } = golden;
      const request = { inputShape: shape, classes: 4, parameters, random: createRandom(1) };
      const model = await createModel({ model_name: name }, request);
      model.loadWeights(filled(model));
      return model;
    };
    const inputs = () => tf.tensor(formula(ROWS * size(shape), 77), [ROWS, ...shape], "float32");

    test("has PyTorch's names and shapes of weights, in its order", async () => {
      const model = await make();
      const shapes = [...model.weights()].map(([weight, array]) => [weight, array.shape]);
      expect(shapes).toEqual(Object.entries(golden.weights));
      model.dispose();
    });

    test("computes the same outputs by its running statistics, and leaves them", async () => {
      const model = await make();
      const before = model.weights();
      expectAll(model.forward(inputs(), { training: false }).dataSync(), tested, tolerance);
      expect(model.weights()).toEqual(before);
      model.dispose();
    });

    test("computes the same outputs, gradients and running statistics in training", async () => {
      const model = await make();
      const factors = tf.tensor(formula(ROWS * 4, 99), [ROWS, 4]);
      let outputs: Float32Array | undefined;
      const { grads } = tf.variableGrads(() => {
        const given = model.forward(inputs(), { training: true });
        outputs = given.dataSync<"float32">().slice();
        return tf.sum(tf.mul(given, factors)) as tf.Scalar;
      }, [...model.variables.values()]);
      expectAll(outputs!, trained, tolerance);
      const sums = [...model.variables].map(([weight, variable]): [string, number[]] => {
        const gradient = grads[variable.name]!.dataSync<"float32">();
        const factorsOf = formula(gradient.length, 55);
        const absolute = gradient.reduce((sum, value) => sum + Math.abs(value), 0);
        return [
          weight,
          [absolute, gradient.reduce((sum, value, place) => sum + value * factorsOf[place]!, 0)],
        ];
      });
      expect(sums.map(([weight]) => weight)).toEqual(Object.keys(golden.gradients));
      const largest = Math.max(...Object.values(golden.gradients).map(([absolute]) => absolute!));
      for (const [weight, found] of sums) {
        const wanted = (golden.gradients as Record<string, number[] | undefined>)[weight]!;
        expectAll(found, wanted, tolerance, Math.max(wanted[0]!, largest / 100));
      }
      const after = model.weights();
      for (const [name, wanted] of Object.entries(
        golden.statistics as Record<string, number[] | undefined>,
      )) {
        expectAll(after.get(name)!.data, wanted!, tolerance);
      }
      model.dispose();
    });
  });
}

/** The numbers of `layered.py`. */
function formula(length: number, seed: number): number[] {
  return Array.from({ length }, (_, place) => ((place * 7919 + seed * 104729) % 1009) / 1009 - 0.5);
}

function filled(model: Model): Map<string, WeightArray> {
  const weights = new Map<string, WeightArray>();
  const all = model.weights();
  let seed = 0;
  for (const [name, { shape }] of all) {
    seed += 1;
    const values = formula(size(shape), seed);
    const layer = name.replace(/\.[^.]*$/, "");
    const scale = 4 / Math.sqrt(size(shape) / shape.at(-1)!);
    const data = values.map((value) => {
      if (shape.length > 1) return value * scale;
      if (name.endsWith("running_var")) return value + 1;
      if (!all.has(`${layer}.running_var`)) return value;
      return value * 0.5 + (name.endsWith("weight") ? 1 : 0);
    });
    weights.set(name, { dtype: "float32", shape, data: Float32Array.from(data) });
  }
  return weights;
}

function size(shape: readonly number[]): number {
  return shape.reduce((product, length) => product * length, 1);
}

/** @param scale what the tolerance is of. Default: the largest of those that are expected, at least 1 */
function expectAll(
  actual: ArrayLike<number>,
  expected: readonly number[],
  tolerance: number,
  scale = Math.max(1, ...expected.map(Math.abs)),
): void {
  expect(actual.length).toBe(expected.length);
  const worst = Math.max(...expected.map((value, place) => Math.abs(actual[place]! - value)));
  expect(worst / scale).toBeLessThan(tolerance);
}
