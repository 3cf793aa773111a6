import * as tf from "@tensorflow/tfjs-core";
import { beforeAll, expect, test } from "vitest";
import { createRandom, silentLogger } from "../../../src/base/index.js";
import { loadBackend } from "../../../src/compute/index.js";
import { configSchema } from "../../../src/config/schema/config.js";
import { TrainingContext } from "../../../src/context/index.js";
import { type Datasource, loadDatasource } from "../../../src/data/index.js";
import { createModel, type Model } from "../../../src/models/index.js";
import { defaultStrategies } from "../../../src/trainers/strategies/index.js";
import { CrossEntropyLoss, PerplexityTesting } from "../../../src/trainers/strategies/kit.js";
import { tokenRows, UnigramModel } from "../fixtures/unigramModel.js";

const config = configSchema.parse({
  clients: { total_clients: 1, per_round: 1 },
  data: { datasource: "digits", sampler: "all_inclusive" },
  trainer: { type: "basic", model_name: "lenet5", rounds: 1, epochs: 3, batch_size: 32, optimizer: "SGD" },
  algorithm: { type: "fedavg" },
  parameters: { optimizer: { lr: 0.02, momentum: 0.9 } },
});
let digits: Datasource;

beforeAll(async () => {
  await loadBackend("wasm", { logger: silentLogger });
  digits = await loadDatasource(config.data, "");
});

function lenet5(): Promise<Model> {
  return createModel(config.trainer, {
    inputShape: digits.trainset.inputShape,
    classes: digits.trainset.classes,
    parameters: config.parameters.model,
    random: createRandom(config.trainer.random_seed, "model"),
  });
}

/** Local training of one client on these rows, without the trainer around it. */
async function train(model: Model, rows: number, epochs: number): Promise<number> {
  const { loss, optimizer, trainingStep, dataLoader } = await defaultStrategies(config);
  const context = new TrainingContext({ clientId: 1, currentRound: 1 });
  const used = optimizer.createOptimizer(model, context);
  const indices = Int32Array.from({ length: rows }, (_, row) => row);
  let steps = 0;
  for (let epoch = 1; epoch <= epochs; epoch++) {
    context.currentEpoch = epoch;
    for (const batch of dataLoader.createTrainLoader(digits.trainset, indices, 32, context)) {
      const inputs = tf.tensor(batch.inputs, [batch.length, ...batch.inputShape]);
      const labels = tf.tensor1d(batch.labels, "int32");
      const computeLoss = (outputs: tf.Tensor, given: tf.Tensor) => loss.computeLoss(outputs, given, context);
      await trainingStep.trainingStep({ model, optimizer: used, inputs, labels, computeLoss, context });
      tf.dispose([inputs, labels]);
      steps++;
    }
  }
  used.dispose();
  return steps;
}

test("LeNet-5 learns the digits in three passes: most unseen ones are right", async () => {
  const model = await lenet5();
  expect(await train(model, 1437, 3)).toBe(3 * 45);
  const { testing } = await defaultStrategies(config);
  const accuracy = await testing.testModel(
    model,
    config.trainer,
    digits.testset,
    undefined,
    new TrainingContext(),
  );
  expect(accuracy).toBeGreaterThan(0.85);
  model.dispose();
});

test("training twice gives the same bits and leaves no tensors behind", async () => {
  const before = tf.memory().numTensors;
  const weights = [];
  for (let time = 0; time < 2; time++) {
    const model = await lenet5();
    await train(model, 100, 1);
    weights.push(model.weights());
    model.dispose();
  }
  expect(weights[1]).toEqual(weights[0]);
  expect(tf.memory().numTensors).toBe(before);
});

test("labels are smoothed here as on the back end that is the oracle", () => {
  const loss = new CrossEntropyLoss({ label_smoothing: 0.2 });
  const smoothed = -(0.9 * Math.log(0.75) + 0.1 * Math.log(0.25));
  const logits = tf.tensor2d([Math.log(3), 0], [1, 2]);
  const right = tf.tensor1d([0], "int32");
  expect(loss.computeLoss(logits, right).dataSync()[0]).toBeCloseTo(smoothed, 5);
  const tokens = tf.reshape(logits, [1, 1, 2]);
  expect(loss.computeLoss(tokens, tf.reshape(right, [1, 1])).dataSync()[0]).toBeCloseTo(smoothed, 5);
});

test("perplexity is counted here as on the back end that is the oracle", async () => {
  const model = new UnigramModel([Math.log(3), 0]);
  const rows = tokenRows([[1, 0, 0, 0, 1]]);
  // Three labels cost ln 4/3 each, one ln 4.
  const expected = (4 / 3) ** (3 / 4) * 4 ** (1 / 4);
  expect(await new PerplexityTesting().testModel(model, {}, rows, undefined)).toBeCloseTo(expected, 5);
});
