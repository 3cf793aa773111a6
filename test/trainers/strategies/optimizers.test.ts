import * as tf from "@tensorflow/tfjs-core";
import { afterEach, describe, expect, test } from "vitest";
import type { Optimizer } from "../../../src/algorithms/index.js";
import { optimizers } from "../../../src/trainers/strategies/index.js";
import { expectClose, expectTensors } from "../../support/cpuTensors.js";
import { contextOf, modelOf } from "../trainerParts.js";

const made: { optimizer: Optimizer; weight: tf.Variable }[] = [];
afterEach(() => {
  for (const { optimizer, weight } of made.splice(0)) {
    optimizer.dispose();
    weight.dispose();
  }
});

async function optimizerOf(name: string, parameters: Record<string, unknown>): Promise<Optimizer> {
  const strategy = await optimizers.lookup(name)(parameters, { epochs: 1 });
  return strategy.createOptimizer(modelOf(), contextOf());
}

/** The weight after each step from 1, by gradients that are given. */
async function walk(
  name: string,
  parameters: Record<string, unknown>,
  gradients: number[],
): Promise<number[]> {
  const optimizer = await optimizerOf(name, parameters);
  const weight = tf.variable(tf.tensor1d([1]));
  made.push({ optimizer, weight });
  return gradients.map((gradient) => {
    tf.tidy(() => optimizer.step(new Map([["w", weight]]), new Map([["w", tf.tensor1d([gradient])]])));
    return weight.dataSync()[0]!;
  });
}

describe("SGD, from 1 with rate 0.1 and gradients 0.5", () => {
  test.each<[string, Record<string, unknown>, number[]]>([
    // 1 - 0.05, then again.
    ["plain", {}, [0.95, 0.9]],
    // b = 0.5, 0.9*0.5 + 0.5 = 0.95, 0.9*0.95 + 0.5 = 1.355.
    ["momentum", { momentum: 0.9 }, [0.95, 0.855, 0.7195]],
    // g + 0.9 b = 0.95, 1.355, 0.5 + 0.9*1.355 = 1.7195.
    ["Nesterov momentum", { momentum: 0.9, nesterov: true }, [0.905, 0.7695, 0.59755]],
    // b = 0.5 undamped at first, then 0.9*0.5 + 0.5*0.5 = 0.7, 0.9*0.7 + 0.25 = 0.88.
    ["dampening", { momentum: 0.9, dampening: 0.5 }, [0.95, 0.88, 0.792]],
    // g = 0.5 + 0.1*1 = 0.6; 0.5 + 0.094 = 0.594.
    ["weight decay", { weight_decay: 0.1 }, [0.94, 0.8806]],
    // g = 0.6, b = 0.6; w = 0.94; g = 0.594, b = 0.54 + 0.594 = 1.134.
    ["momentum and decay", { momentum: 0.9, weight_decay: 0.1 }, [0.94, 0.8266]],
  ])("with %s", async (_, parameters, expected) => {
    expectClose(
      await walk(
        "SGD",
        { lr: 0.1, ...parameters },
        expected.map(() => 0.5),
      ),
      expected,
    );
  });

  test("takes a new rate from the next step on", async () => {
    const optimizer = await optimizerOf("SGD", { lr: 0.1 });
    expect(optimizer.learningRate).toBe(0.1);
    const weight = tf.variable(tf.tensor1d([1]));
    made.push({ optimizer, weight });
    optimizer.learningRate = 0.4;
    tf.tidy(() => optimizer.step(new Map([["w", weight]]), new Map([["w", tf.tensor1d([0.5])]])));
    expectClose(weight.dataSync(), [0.8]);
  });
});

describe("Adam and AdamW, from 1 with rate 0.1", () => {
  // Gradients 0.5, -0.25: m = 0.05, 0.02; v = 0.00025, 0.00031225. Corrected m = 0.5, 0.02/0.19 =
  // 0.1052631579; v = 0.25, 0.00031225/0.001999 = 0.1562031016, root 0.3952253808; quotient 0.2663370399.
  test("Adam corrects the bias of both means", async () => {
    expectClose(await walk("Adam", { lr: 0.1 }, [0.5, -0.25]), [0.9, 0.873366296]);
  });

  test("eps is added to the corrected root", async () => {
    // 0.5 / (0.5 + 0.5) = 0.5; then 0.1052631579 / (0.3952253808 + 0.5) = 0.1175828438.
    expectClose(await walk("Adam", { lr: 0.1, eps: 0.5 }, [0.5, -0.25]), [0.95, 0.9382417156]);
  });

  test("betas are the memories of the means", async () => {
    // b = 0.5, 0.75, gradients 1, 3: m = 0.5, 1.75, over 0.75 = 2.3333333333; v = 0.25, 2.4375, over 0.4375 =
    // 5.5714285714, root 2.3603873774; quotient 0.9885383807.
    expectClose(await walk("Adam", { lr: 0.1, betas: [0.5, 0.75] }, [1, 3]), [0.9, 0.8011461619]);
  });

  test("Adam's weight decay goes through the means", async () => {
    // g = 0.5 + 0.1 = 0.6, so w = 0.9; g = 0.5 + 0.09 = 0.59: m = 0.113, over 0.19 = 0.5947368421; v =
    // 0.00035964 + 0.0003481 = 0.00070774, over 0.001999 = 0.3540470235, root 0.5950185069.
    const decayed = await walk("Adam", { lr: 0.1, weight_decay: 0.1 }, [0.5, 0.5]);
    expectClose(decayed, [0.9, 0.9 - 0.1 * (0.5947368421 / 0.5950185069)]);
  });

  test("AdamW's weight decay shrinks the weight apart from them", async () => {
    // 1 * (1 - 0.01) - 0.1 = 0.89; equal gradients give a quotient of 1: 0.89 * 0.99 - 0.1 = 0.7811.
    expectClose(await walk("AdamW", { lr: 0.1, weight_decay: 0.1 }, [0.5, 0.5]), [0.89, 0.7811]);
  });

  test("AdamW decays by 0.01 unless told otherwise, Adam not at all", async () => {
    expectClose(await walk("AdamW", { lr: 0.1 }, [0.5]), [0.899]);
    expectClose(await walk("Adam", { lr: 0.1 }, [0.5]), [0.9]);
  });
});

describe.each<[string, Record<string, unknown>, number]>([
  ["SGD", { lr: 0.1 }, 0],
  ["SGD", { lr: 0.1, momentum: 0.9, nesterov: true, weight_decay: 0.1 }, 1],
  ["Adam", { weight_decay: 0.1 }, 2],
  ["AdamW", {}, 2],
])("%s with %j", (name, parameters, remembered) => {
  test(`keeps ${remembered} tensors per weight while it lives, none after`, async () => {
    const weights = new Map([
      ["a", tf.variable(tf.ones([2, 3]))],
      ["b", tf.variable(tf.ones([4]))],
    ]);
    const gradients = new Map([
      ["a", tf.ones([2, 3])],
      ["b", tf.ones([4])],
    ]);
    const optimizer = await optimizerOf(name, parameters);
    await expectTensors(2 * remembered, () => {
      for (let step = 0; step < 20; step++) optimizer.step(weights, gradients);
    });
    await expectTensors(-2 * remembered, () => optimizer.dispose());
    expect(gradients.get("a")!.isDisposed).toBe(false);
    tf.dispose([...weights.values(), ...gradients.values()]);
  });

  test("leaves a weight without a gradient as it is", async () => {
    const weights = new Map([["a", tf.variable(tf.ones([2]))]]);
    const optimizer = await optimizerOf(name, parameters);
    optimizer.step(weights, new Map());
    expectClose(weights.get("a")!.dataSync(), [1, 1]);
    optimizer.dispose();
  });
});
