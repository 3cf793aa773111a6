import * as tf from "@tensorflow/tfjs-core";
import { describe, expect, test } from "vitest";
import { createRandom } from "../../../src/base/index.js";
import { TrainingContext } from "../../../src/context/index.js";
import { createModel, type ForwardOptions, type Model } from "../../../src/models/index.js";
import { optimizers } from "../../../src/trainers/strategies/index.js";
import { CrossEntropyLoss, DefaultTrainingStep, MseLoss } from "../../../src/trainers/strategies/kit.js";
import { expectClose, expectTensors } from "../../support/cpuTensors.js";
import { contextOf } from "../trainerParts.js";

const request = { random: createRandom(1), parameters: { hidden_sizes: [] } };

describe("the default training step", () => {
  test("goes one step down the gradient and gives the loss before it", async () => {
    const model = await createModel(
      { model_name: "multilayer" },
      { ...request, inputShape: [1], classes: 0 },
    );
    const value = (data: number, shape: number[]) =>
      ({ dtype: "float32", shape, data: Float32Array.of(data) }) as const;
    model.loadWeights(
      new Map([
        ["fc1.weight", value(2, [1, 1])],
        ["fc1.bias", value(1, [1])],
      ]),
    );
    const optimizer = (await optimizers.lookup("SGD")({ lr: 0.1 }, { epochs: 1 })).createOptimizer(
      model,
      contextOf(),
    );
    const loss = new MseLoss();
    const trained = new DefaultTrainingStep().trainingStep({
      model,
      optimizer,
      inputs: tf.tensor2d([1, 3], [2, 1]),
      labels: tf.tensor1d([1, 8]),
      computeLoss: (outputs, labels) => loss.computeLoss(outputs, labels),
      context: contextOf(),
    });
    // Outputs 3 and 7, differences 2 and -1: loss 2.5; gradients (2*1 - 1*3) = -1 and 2 - 1 = 1.
    expect(trained.loss).toBeCloseTo(2.5, 6);
    expect(trained).toMatchObject({ weight: 2, updated: true });
    expectClose(model.weights().get("fc1.weight")!.data, [2.1]);
    expectClose(model.weights().get("fc1.bias")!.data, [0.9]);
  });

  test("draws what dropout leaves out from seed, client and round alone", async () => {
    const drawn = (seed: number, clientId: number, currentRound: number) => {
      const context = new TrainingContext({ clientId, currentRound });
      const numbers: number[] = [];
      const step = new DefaultTrainingStep(seed);
      step.onTrainStart(context);
      for (let batch = 0; batch < 2; batch++) {
        step.trainingStep({
          model: {
            variables: new Map([["w", weight]]),
            forward: (inputs: tf.Tensor, { random }: ForwardOptions) => {
              numbers.push(random!.uint32());
              return tf.mul(inputs, weight);
            },
          } as unknown as Model,
          optimizer: { learningRate: 0, step: () => {}, dispose: () => {} },
          inputs: tf.scalar(1),
          labels: tf.scalar(1),
          computeLoss: (outputs) => outputs as tf.Scalar,
          context,
        });
      }
      return numbers.join();
    };
    const weight = tf.variable(tf.scalar(2));
    expect(drawn(1, 3, 2)).toBe(drawn(1, 3, 2));
    expect(new Set([drawn(1, 3, 2), drawn(2, 3, 2), drawn(1, 4, 2), drawn(1, 3, 1)]).size).toBe(4);
    const [first, second] = drawn(1, 3, 2).split(",");
    expect(first).not.toBe(second);
  });

  test("learns two clouds of points, without a tensor more after the first step", async () => {
    const random = createRandom(1);
    const model = await createModel(
      { model_name: "multilayer" },
      { random, parameters: { hidden_sizes: [8] }, inputShape: [2], classes: 2 },
    );
    const optimizer = (await optimizers.lookup("Adam")({ lr: 0.05 }, { epochs: 1 })).createOptimizer(
      model,
      contextOf(),
    );
    const points = Array.from({ length: 64 }, (_, row) => [random.normal() + 3 * (row % 2), random.normal()]);
    const inputs = tf.tensor2d(points);
    const labels = tf.tensor1d(
      points.map((_, row) => row % 2),
      "int32",
    );
    const loss = new CrossEntropyLoss();
    const step = () =>
      new DefaultTrainingStep().trainingStep({
        model,
        optimizer,
        inputs,
        labels,
        computeLoss: (outputs, given) => loss.computeLoss(outputs, given),
        context: contextOf(),
      }).loss;
    const first = step();
    let last = first;
    await expectTensors(0, () => {
      for (let count = 0; count < 60; count++) last = step();
    });
    expect(last).toBeLessThan(first / 4);
    // Two clouds three deviations apart: the best rule errs in 7 % of the cases, at a loss near 0.17.
    expect(last).toBeLessThan(0.3);
  });
});
