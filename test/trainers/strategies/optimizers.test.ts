import * as tf from "@tensorflow/tfjs-core";
import { afterEach, describe, expect, test } from "vitest";
import type { Optimizer } from "../../../src/algorithms/index.js";
import { optimizers } from "../../../src/trainers/strategies/index.js";
import { expectClose, expectNear } from "../../support/cpuTensors.js";
import golden from "../goldens/pytorch.json" with { type: "json" };
import { optimizerSuite } from "../suites/optimizerSuite.js";
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

describe("RMSprop, Adagrad, Adadelta, NAdam and RAdam, from 1", () => {
  test("RMSprop divides by the root of the running mean square", async () => {
    // v = 0.1*0.25 = 0.025, root 0.1581138830, quotient 3.1622776602; v = 0.0225 + 0.1*0.0625 = 0.02875, root
    // 0.1695582496, quotient -1.4744195615.
    const walked = await walk("RMSprop", { lr: 0.1, alpha: 0.9 }, [0.5, -0.25]);
    expectClose(walked, [0.683772234, 0.83121419]);
  });

  test("RMSprop, centered, divides by the deviation", async () => {
    // a = 0.05, v - a^2 = 0.025 - 0.0025 = 0.0225: 0.5 / 0.15.
    expectClose(await walk("RMSprop", { lr: 0.1, alpha: 0.9, centered: true }, [0.5]), [1 - 0.1 / 0.3]);
  });

  test("Adagrad divides by the root of the sum, and its rate falls", async () => {
    // 0.5/0.5 = 1, then -0.25/sqrt(0.3125) = -0.4472135955 at the rate 0.1/1.5.
    expectClose(await walk("Adagrad", { lr: 0.1, lr_decay: 0.5 }, [0.5, -0.25]), [0.9, 0.92981424]);
  });

  test("Adadelta steps as it has stepped", async () => {
    // v = 0.125, d = sqrt(0.01)/sqrt(0.135) * 0.5 = 0.1360827635; u = 0.5*0.0185185185 = 0.0092592593; v = 0.0625 +
    // 0.03125 = 0.09375, d = sqrt(0.0192592593)/sqrt(0.10375) * -0.25 = -0.1077122.
    const walked = await walk("Adadelta", { rho: 0.5, eps: 0.01 }, [0.5, -0.25]);
    expectClose(walked, [0.8639172365, 0.9716295]);
  });

  test("NAdam looks ahead with the momentum of the next step", async () => {
    // Without decay of momentum u = 0.45: m = 0.05, v/(1-b2) = 0.25; (0.55/0.55 * 0.5 + 0.45/(1-0.2025) * 0.05) / 0.5.
    const step = (0.5 + (0.45 / 0.7975) * 0.05) / 0.5;
    expectClose(await walk("NAdam", { lr: 0.1, momentum_decay: 0 }, [0.5]), [1 - 0.1 * step]);
  });

  test("RAdam is momentum until it knows the variance", async () => {
    // m / (1 - 0.9) = 0.5; then 0.02 / 0.19.
    expectClose(await walk("RAdam", { lr: 0.1 }, [0.5, -0.25]), [0.95, 0.95 - 0.01 / 0.95]);
  });
});

describe("the golden steps of PyTorch", () => {
  test.each(golden.optimizers)("are taken by $name with $options", async ({ name, options, walked }) => {
    const optimizer = await optimizerOf(name, options);
    const weight = tf.variable(tf.tensor1d(golden.start));
    made.push({ optimizer, weight });
    for (const [step, gradient] of golden.gradients.entries()) {
      tf.tidy(() => optimizer.step(new Map([["w", weight]]), new Map([["w", tf.tensor1d(gradient)]])));
      expectNear(weight.dataSync(), walked[step]!);
    }
  });
});

describe("what a table may not hold", () => {
  test.each([
    ["RMSprop", { alfa: 0.9 }, /RMSprop: unknown key "alfa". Did you mean "alpha"\?/],
    ["Adagrad", { momentum: 0.9 }, /unknown key "momentum"/],
    ["Adadelta", { rho: 1 }, /rho = 1/],
    ["NAdam", { betas: [0.9] }, /betas/],
    ["RAdam", { lr: 0 }, /lr = 0/],
  ])("%s refuses %j", async (name, parameters, message) => {
    await expect(optimizerOf(name, parameters)).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringMatching(message),
    });
  });
});

optimizerSuite("SGD", { lr: 0.1 }, 0);
optimizerSuite("SGD", { lr: 0.1, momentum: 0.9, nesterov: true, weight_decay: 0.1 }, 1);
optimizerSuite("Adam", { weight_decay: 0.1 }, 2);
optimizerSuite("AdamW", {}, 2);
optimizerSuite("RMSprop", {}, 1);
optimizerSuite("RMSprop", { momentum: 0.9, centered: true }, 3);
optimizerSuite("Adagrad", { lr_decay: 0.1 }, 1);
optimizerSuite("Adadelta", {}, 2);
optimizerSuite("NAdam", {}, 2);
optimizerSuite("RAdam", { betas: [0.8, 0.9] }, 2);
