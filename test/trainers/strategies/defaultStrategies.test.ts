import { afterEach, describe, expect, test } from "vitest";
import { configSchema } from "../../../src/config/schema/config.js";
import { ArrayDataset } from "../../../src/data/index.js";
import {
  defaultStrategies,
  losses,
  optimizers,
  schedulers,
  strategyCatalog,
} from "../../../src/trainers/strategies/index.js";
import { AdamWStrategy, MseLoss, MseTesting, StepStrategy } from "../../../src/trainers/strategies/kit.js";
import { contextOf, modelOf, planOf } from "../trainerParts.js";

/** The strategies of a configuration with these tables. */
function strategiesOf(trainer: Record<string, unknown> = {}, parameters: Record<string, unknown> = {}) {
  const config = configSchema.parse({
    clients: { total_clients: 1, per_round: 1 },
    data: { datasource: "digits", sampler: "iid" },
    trainer: {
      type: "basic",
      model_name: "multilayer",
      rounds: 1,
      epochs: 3,
      batch_size: 4,
      optimizer: "SGD",
      ...trainer,
    },
    algorithm: { type: "fedavg" },
    parameters,
  });
  return defaultStrategies(config);
}

/** A white image, as a configuration with these `[data]` keys hands it to training. */
async function whiteImage(data: Record<string, unknown>): Promise<readonly number[]> {
  const config = configSchema.parse({
    clients: { total_clients: 1, per_round: 1 },
    data: { datasource: "digits", sampler: "iid", ...data },
    trainer: { type: "basic", model_name: "lenet5", rounds: 1, epochs: 1, batch_size: 4, optimizer: "SGD" },
    algorithm: { type: "fedavg" },
  });
  const trainset = new ArrayDataset({
    ...{ inputs: new Float32Array(16 * 40).fill(1), inputShape: [4, 4, 1] },
    ...{ labels: new Int32Array(40), classes: 1 },
  });
  const { dataLoader } = await defaultStrategies(config);
  const rows = Int32Array.from({ length: 40 }, (_, row) => row);
  const [batch] = dataLoader.createTrainLoader(trainset, rows, 40, contextOf({ clientId: 1 }));
  return [...batch!.inputs];
}

afterEach(() => optimizers.unregister("Mine"));

describe("the strategies of a configuration", () => {
  test("vary images where the data section asks for it", async () => {
    expect(await whiteImage({})).not.toContain(0);
    expect(await whiteImage({ random_horizontal_flip: true })).not.toContain(0);
    expect(await whiteImage({ random_crop: 1 })).toContain(0);
  });

  test("are SGD, a constant rate, cross-entropy and accuracy when nothing else is said", async () => {
    const strategies = await strategiesOf();
    expect(Object.keys(strategies).sort()).toEqual(
      ["dataLoader", "loss", "modelUpdate", "optimizer", "scheduler", "testing", "trainingStep"].sort(),
    );
    const optimizer = strategies.optimizer.createOptimizer(modelOf(), contextOf());
    expect(optimizer.learningRate).toBe(0.001);
    strategies.scheduler.createScheduler(optimizer, contextOf(), planOf()).step();
    expect(optimizer.learningRate).toBe(0.001);
    expect(strategies.testing.metricName).toBe("accuracy");
  });

  test("are those that are named, with their parameters", async () => {
    const strategies = await strategiesOf(
      { optimizer: "AdamW", lr_scheduler: "StepLR", loss_criterion: "MSELoss" },
      { optimizer: { lr: 0.5 }, learning_rate: { step_size: 1, gamma: 0.5 } },
    );
    expect(strategies.optimizer).toBeInstanceOf(AdamWStrategy);
    expect(strategies.scheduler).toBeInstanceOf(StepStrategy);
    expect(strategies.loss).toBeInstanceOf(MseLoss);
    expect(strategies.testing).toBeInstanceOf(MseTesting);
    const optimizer = strategies.optimizer.createOptimizer(modelOf(), contextOf());
    strategies.scheduler.createScheduler(optimizer, contextOf(), planOf()).step();
    expect(optimizer.learningRate).toBe(0.25);
  });

  test("may come from code by a name of their own", async () => {
    const mine = { createOptimizer: () => ({ learningRate: 7, step: () => {}, dispose: () => {} }) };
    optimizers.register("Mine", () => mine);
    expect((await strategiesOf({ optimizer: "Mine" })).optimizer).toBe(mine);
  });

  test.each<[string, Record<string, unknown>, Record<string, unknown>, RegExp]>([
    ["optimizer", { optimizer: "Adm" }, {}, /No such optimizer: "Adm". Did you mean "Adam"\?/],
    ["schedule", { lr_scheduler: "Step" }, {}, /No such learning-rate schedule: "Step"/],
    ["loss", { loss_criterion: "MSE" }, {}, /No such loss: "MSE"/],
    [
      "optimizer key",
      {},
      { optimizer: { learning_rate: 1, momentun: 0.9 } },
      /\[parameters.optimizer\] of SGD: .*unknown key "momentun". Did you mean "momentum"\? Known: lr, momentum, dampening, weight_decay, nesterov/,
    ],
    ["value", {}, { optimizer: { lr: -1 } }, /lr = -1/],
    ["Nesterov", {}, { optimizer: { nesterov: true } }, /nesterov = true: needs momentum above 0/],
    ["betas", { optimizer: "Adam" }, { optimizer: { betas: [0.9, 1] } }, /betas.1 = 1/],
    [
      "step size",
      { lr_scheduler: "StepLR" },
      {},
      /\[parameters.learning_rate\] of StepLR: step_size is missing: expected number/,
    ],
    [
      "MSE option",
      { loss_criterion: "MSELoss" },
      { loss_criterion: { a: 1 } },
      /unknown key "a". Known: none/,
    ],
  ])("refuse a wrong %s", async (_, trainer, parameters, message) => {
    await expect(strategiesOf(trainer, parameters)).rejects.toThrow(message);
  });
});

test("the catalog names every strategy with the schema of its table", () => {
  const catalog = strategyCatalog();
  expect(catalog.optimizers.map((entry) => entry.name)).toEqual([
    "Adadelta",
    "Adagrad",
    "Adam",
    "AdamW",
    "Muon",
    "NAdam",
    "RAdam",
    "RMSprop",
    "SGD",
    "nanochat",
  ]);
  expect(catalog.schedulers.map((entry) => entry.name)).toEqual([
    "ConstantLR",
    "CosineAnnealingLR",
    "CosineAnnealingWarmRestarts",
    "CyclicLR",
    "ExponentialLR",
    "LambdaLR",
    "LinearLR",
    "MultiStepLR",
    "PolynomialLR",
    "ReduceLROnPlateau",
    "StepLR",
    "constant",
    "constant_with_warmup",
    "cosine",
    "linear",
    "nanochat",
  ]);
  expect(catalog.losses.map((entry) => entry.name)).toEqual([
    "BCEWithLogitsLoss",
    "CompositeLoss",
    "CrossEntropyLoss",
    "L2Regularization",
    "MSELoss",
    "NLLLoss",
  ]);
  for (const registry of [optimizers, schedulers, losses]) {
    for (const { name, description } of registry.list()) {
      expect(description).not.toBe("");
      expect(registry.lookup(name).options).toBeDefined();
    }
  }
});
