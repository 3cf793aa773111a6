import * as tf from "@tensorflow/tfjs-core";
import { describe, expect, test } from "vitest";
import type { Optimizer } from "../../../src/algorithms/index.js";
import { optimizers } from "../../../src/trainers/strategies/index.js";
import { expectClose, expectTensors } from "../../support/cpuTensors.js";
import { contextOf, modelOf } from "../trainerParts.js";

/** What every optimizer must keep to. @param remembered tensors it keeps for each weight */
export function optimizerSuite(name: string, parameters: Record<string, unknown>, remembered: number): void {
  const make = async (): Promise<Optimizer> => {
    const strategy = await optimizers.lookup(name)(parameters, { epochs: 1 });
    return strategy.createOptimizer(modelOf(), contextOf());
  };

  describe(`${name} with ${JSON.stringify(parameters)}`, () => {
    test(`keeps ${remembered} tensors per weight while it lives, none after`, async () => {
      const weights = new Map([
        ["a", tf.variable(tf.ones([2, 3]))],
        ["b", tf.variable(tf.ones([4]))],
      ]);
      const gradients = new Map([
        ["a", tf.ones([2, 3])],
        ["b", tf.ones([4])],
      ]);
      const optimizer = await make();
      await expectTensors(2 * remembered, () => {
        for (let step = 0; step < 8; step++) optimizer.step(weights, gradients);
      });
      await expectTensors(-2 * remembered, () => optimizer.dispose());
      expect(gradients.get("a")!.isDisposed).toBe(false);
      tf.dispose([...weights.values(), ...gradients.values()]);
    });

    test("leaves a weight without a gradient as it is", async () => {
      const weights = new Map([["a", tf.variable(tf.ones([2]))]]);
      const optimizer = await make();
      optimizer.step(weights, new Map());
      expectClose(weights.get("a")!.dataSync(), [1, 1]);
      optimizer.dispose();
    });

    test("goes down a slope, faster with a higher learning rate", async () => {
      const reached = async (factor: number) => {
        const optimizer = await make();
        optimizer.learningRate *= factor;
        const weight = tf.variable(tf.scalar(1));
        for (let step = 0; step < 3; step++) {
          tf.tidy(() => optimizer.step(new Map([["w", weight]]), new Map([["w", tf.scalar(0.5)]])));
        }
        optimizer.dispose();
        return weight.dataSync()[0]!;
      };
      const [slow, fast] = [await reached(1), await reached(3)];
      expect(slow).toBeLessThan(1);
      expect(fast).toBeLessThan(slow);
    });

    test("goes on from what another one remembers as if it had never stopped", async () => {
      const walk = async (pause: boolean) => {
        const weight = tf.variable(tf.tensor1d([1, -1]));
        let optimizer = await make();
        for (const gradient of [0.5, -0.25, 1, 0.1]) {
          if (pause) {
            const memory = optimizer.remembered!();
            optimizer.dispose();
            optimizer = await make();
            optimizer.recall!(memory);
          }
          const gradients = new Map([["w", tf.tensor1d([gradient, 0.3])]]);
          tf.tidy(() => optimizer.step(new Map([["w", weight]]), gradients));
        }
        optimizer.dispose();
        return [...weight.dataSync()];
      };
      expect(await walk(true)).toEqual(await walk(false));
    });
  });
}
