import "../support/cpuTensors.js";
import { setImmediate as nextTurn } from "node:timers/promises";
import * as tf from "@tensorflow/tfjs-core";
import * as layers from "@tensorflow/tfjs-layers";
import { afterEach, describe, expect, test } from "vitest";
import type { ModelUpdateStrategy, Optimizer } from "../../src/algorithms/index.js";
import { createLogger } from "../../src/base/index.js";
import type { Config } from "../../src/config/schema/config.js";
import { type EvaluationInput, EvaluationResult, registry } from "../../src/evaluators/index.js";
import type { Model } from "../../src/models/index.js";
import { modelFromLayers } from "../../src/models/kit.js";
import {
  BasicTrainer,
  ComposableTrainer,
  type ComposableTrainerOptions,
  type TrainerCallback,
  trainers,
} from "../../src/trainers/index.js";
import { bothRows, LineModel, linePoints, OffsetModel } from "./fixtures/lineModel.js";
import { tinyConfig } from "./fixtures/tinyConfig.js";

function lineConfig(trainer: object = {}, more: Parameters<typeof tinyConfig>[0] = {}): Config {
  return tinyConfig({
    trainer: { loss_criterion: "MSELoss", batch_size: 2, epochs: 2, ...trainer },
    ...more,
  });
}

const lineTrainer = (options: Partial<ComposableTrainerOptions> = {}) =>
  new ComposableTrainer({ config: lineConfig(), ...options, model: options.model ?? new LineModel() });

const train = (trainer: ComposableTrainer) => trainer.train({ trainset: linePoints, indices: bothRows });

describe("training", () => {
  test("goes down the gradient as worked out by hand", async () => {
    const model = new LineModel();
    const trainer = lineTrainer({ model });
    const report = await train(trainer);

    // w = 0: loss (2^2 + 4^2) / 2 = 10, gradient (2*-2*1 + 2*-4*2) / 2 = -10, w = 1;
    // then loss (1 + 4) / 2 = 2.5, gradient (2*-1*1 + 2*-2*2) / 2 = -5, w = 1.5.
    expect(model.w).toBeCloseTo(1.5, 6);
    expect(trainer.history.getMetricNames()).toEqual(["train_loss"]);
    expect(trainer.history.getMetricValues("train_loss")).toEqual([10, 2.5]);
    expect(report).toMatchObject({ numSamples: 2, trainLoss: 2.5 });
    expect((await trainer.update()).get("w")!.data).toEqual(Float32Array.of(model.w));
  });

  test("weighs batches by their rows in the mean loss", async () => {
    const trainer = lineTrainer({
      config: lineConfig({ epochs: 1 }),
      strategies: {
        dataLoader: {
          createTrainLoader: () => [linePoints.batch([0, 0, 0]), linePoints.batch([0])],
        },
        trainingStep: { trainingStep: ({ inputs }) => inputs.shape[0]! },
      },
    });

    // Losses 3 (three rows) and 1 (one row).
    expect((await train(trainer)).trainLoss).toBe(2.5);
  });

  test("does nothing, and reports no loss, without rows", async () => {
    const trainer = lineTrainer();
    const report = await trainer.train({ trainset: linePoints, indices: new Int32Array(0) });

    expect(report).toMatchObject({ numSamples: 0, trainLoss: null });
    expect(trainer.history.getMetricNames()).toEqual([]);
  });

  test("reports no loss where it is not finite", async () => {
    const trainer = lineTrainer({ strategies: { trainingStep: { trainingStep: () => Number.NaN } } });

    expect((await train(trainer)).trainLoss).toBeNull();
  });

  test("gives the event loop a turn after every step, and stops between two", async () => {
    const stop = new AbortController();
    let turns = 0;
    let steps = 0;
    const count = async () => {
      for (;;) {
        await nextTurn();
        turns += 1;
        if (stop.signal.aborted) return;
      }
    };
    const counting = count();
    const training = lineTrainer({ config: lineConfig({ epochs: 50 }) }).train({
      trainset: linePoints,
      indices: bothRows,
      signal: stop.signal,
      progress: (done, total) => {
        steps = done;
        expect(total).toBe(50);
        if (done === 10) stop.abort("enough");
      },
    });

    await expect(training).rejects.toMatchObject({ code: "INTERRUPTED" });
    await counting;
    expect(steps).toBe(10);
    expect(turns).toBeGreaterThanOrEqual(9);
  });

  test("frees the optimizer and every tensor, also after a failure", async () => {
    const model = new LineModel();
    const before = tf.memory().numTensors;
    const failing = lineTrainer({
      model,
      callbacks: [
        {
          onTrainEpochEnd() {
            throw new Error("no more");
          },
        },
      ],
      strategies: {
        optimizer: {
          createOptimizer: () => {
            const slot = tf.keep(tf.scalar(0));
            return { learningRate: 1, step: () => {}, dispose: () => slot.dispose() };
          },
        },
      },
    });

    await expect(train(failing)).rejects.toThrow("no more");
    expect(tf.memory().numTensors).toBe(before);
    expect(failing.context.state.has("optimizer")).toBe(false);
    await train(lineTrainer({ model }));
    expect(tf.memory().numTensors).toBe(before);
  });

  test("frees what a step of the user's own leaves lying about", async () => {
    const model = new LineModel();
    const before = tf.memory().numTensors;
    await train(
      lineTrainer({
        model,
        strategies: {
          trainingStep: {
            trainingStep: async ({ inputs, labels, computeLoss }) => {
              const loss = computeLoss(model.forward(inputs), labels);
              return (await loss.data())[0]!;
            },
          },
        },
      }),
    );

    expect(tf.memory().numTensors).toBe(before);
  });
});

describe("callbacks", () => {
  class Recorder implements TrainerCallback {
    readonly events: string[] = [];
    onTrainRunStart() {
      this.events.push("run start");
    }
    onTrainEpochStart({ context }: { context: { currentEpoch: number } }) {
      this.events.push(`epoch ${context.currentEpoch} start`);
    }
    onTrainStepStart(_trainer: unknown, batch: { length: number }, step: number) {
      this.events.push(`step ${step} start, ${batch.length} row`);
    }
    onTrainStepEnd(_trainer: unknown, _batch: unknown, loss: number, step: number) {
      this.events.push(`step ${step} end, ${typeof loss}`);
    }
    async onTrainEpochEnd() {
      await nextTurn();
      this.events.push("epoch end");
    }
    onTrainRunEnd() {
      this.events.push("run end");
    }
  }

  test("are called in the order of the loop", async () => {
    const recorder = new Recorder();
    await train(lineTrainer({ config: lineConfig({ batch_size: 1 }), callbacks: [recorder] }));

    const epoch = (number: number) => [
      `epoch ${number} start`,
      "step 1 start, 1 row",
      "step 1 end, number",
      "step 2 start, 1 row",
      "step 2 end, number",
      "epoch end",
    ];
    expect(recorder.events).toEqual(["run start", ...epoch(1), ...epoch(2), "run end"]);
  });

  test("of one class stand in the list once", () => {
    class Another extends Recorder {}

    expect(() => lineTrainer({ callbacks: [new Recorder(), new Another(), {}, {}] })).not.toThrow();
    expect(() => lineTrainer({ callbacks: [new Recorder(), new Recorder()] })).toThrow(
      expect.objectContaining({ code: "NAME_TAKEN", message: expect.stringContaining("Recorder") }),
    );
  });

  test("by default log the loss of every tenth batch", async () => {
    const lines: string[] = [];
    const logger = createLogger("debug", (line) => lines.push(line));
    const rows = Int32Array.from({ length: 25 }, () => 0);
    const config = lineConfig({ epochs: 1, batch_size: 1 });
    await lineTrainer({ config, logger, clientId: 4, round: 3 }).train({
      trainset: linePoints,
      indices: rows,
    });

    expect(lines.map((line) => line.replace(/loss .*/, "loss"))).toEqual([
      "client 4, round 3, epoch 1, batch 10: loss",
      "client 4, round 3, epoch 1, batch 20: loss",
    ]);
  });
});

describe("strategies", () => {
  test("of every kind can be replaced from code", async () => {
    const seen: string[] = [];
    const rates: number[] = [];
    const model = new LineModel();
    const trainer = lineTrainer({
      model,
      config: lineConfig({ batch_size: 1 }),
      strategies: {
        loss: {
          onTrainStart: () => void seen.push("loss start"),
          computeLoss: (outputs) => {
            seen.push("loss");
            return tf.sum(outputs);
          },
        },
        optimizer: {
          createOptimizer: (): Optimizer => ({
            learningRate: 8,
            step: () => void seen.push("optimizer"),
            dispose: () => void seen.push("optimizer disposed"),
          }),
          onOptimizerStep: ({ learningRate }) => void rates.push(learningRate),
        },
        trainingStep: {
          onTrainStart: () => void seen.push("step start"),
          trainingStep: ({ inputs, labels, optimizer, computeLoss, context }) => {
            seen.push(context.state.get("is_last_batch") ? "last step" : "step");
            optimizer.step(model.variables, new Map());
            return computeLoss(model.forward(inputs), labels).dataSync()[0]!;
          },
          finalize: () => void seen.push("finalize"),
          onTrainEnd: () => void seen.push("step end"),
        },
        scheduler: {
          createScheduler: (optimizer) => ({
            step: () => {
              optimizer.learningRate /= 2;
            },
          }),
        },
        modelUpdate: {
          onTrainStart: () => void seen.push("update start"),
          beforeStep: () => void seen.push("before"),
          afterStep: () => void seen.push("after"),
          onTrainEnd: () => void seen.push("update end"),
        },
        dataLoader: {
          createTrainLoader: (set, indices, size) => {
            seen.push(`loader of ${indices.length} rows by ${size}`);
            return [set.batch([0]), set.batch([1])];
          },
        },
        testing: { metricName: "guess", higherIsBetter: false, testModel: () => 0.25 },
      },
    });
    await train(trainer);
    const { scalar } = await trainer.testModel({ testset: linePoints });

    const step = (name: string) => ["before", name, "optimizer", "loss", "after"];
    const epoch = ["loader of 2 rows by 1", ...step("step"), ...step("last step"), "finalize"];
    expect(seen).toEqual([
      "loss start",
      "step start",
      "update start",
      ...epoch,
      ...epoch,
      "update end",
      "step end",
      "optimizer disposed",
    ]);
    // Once per epoch.
    expect(rates).toEqual([8, 8, 4, 4]);
    expect(scalar).toEqual({ name: "guess", value: 0.25, higherIsBetter: false });
  });

  test("are set up once before use and torn down in reverse when the trainer is disposed of", async () => {
    const seen: string[] = [];
    const named = (name: string): ModelUpdateStrategy => ({
      setup: ({ clientId }) => void seen.push(`${name} up for ${clientId}`),
      teardown: () => void seen.push(`${name} down`),
    });
    const trainer = lineTrainer({
      clientId: 2,
      algorithmUpdate: named("algorithm"),
      strategies: { modelUpdate: named("own") },
    });
    await train(trainer);
    await train(trainer);
    expect(seen).toEqual(["own up for 2", "algorithm up for 2"]);
    await trainer.dispose();
    await trainer.dispose();

    expect(seen.slice(2)).toEqual(["algorithm down", "own down"]);
  });

  test("of the algorithm's client half come first and may send weights of their own", async () => {
    const seen: string[] = [];
    const sending = (name: string): ModelUpdateStrategy => ({
      afterStep: () => void seen.push(name),
      getUpdatePayload: () =>
        new Map([[name, { dtype: "float32", shape: [1], data: Float32Array.of(seen.length) }]]),
    });
    const trainer = lineTrainer({
      config: lineConfig({ epochs: 1 }),
      algorithmUpdate: sending("control"),
      strategies: { modelUpdate: sending("mask") },
    });
    await train(trainer);

    expect(seen).toEqual(["control", "mask"]);
    const update = await trainer.update();
    expect([...update.keys()]).toEqual(["w", "control", "mask"]);
    expect(update.get("mask")!.data).toEqual(Float32Array.of(2));
    const clashing = lineTrainer({ algorithmUpdate: sending("w") });
    await expect(clashing.update()).rejects.toMatchObject({ code: "WEIGHTS_INVALID" });
  });

  test("can come with a subclass under a name of its own", async () => {
    class GuessingTrainer extends ComposableTrainer {
      constructor(options: ComposableTrainerOptions) {
        const testing = { metricName: "guess", higherIsBetter: true, testModel: () => 1 };
        super({ ...options, strategies: { testing, ...options.strategies } });
      }
    }
    trainers.register("guessing", (request) => new GuessingTrainer({ ...request, model: new LineModel() }));
    const trainer = await trainers.lookup("guessing")({ config: lineConfig() });

    expect((await trainer.testModel({ testset: linePoints })).scalar!.name).toBe("guess");
    expect(trainers.registeredNames()).toContain("guessing");
    expect(await trainers.lookup("basic")({ config: lineConfig() })).toBeInstanceOf(BasicTrainer);
    trainers.unregister("guessing");
  });
});

describe("the model", () => {
  test("stays its giver's when it was given, and goes with the trainer that made it", async () => {
    const given = new LineModel();
    const configured = new LineModel();
    const made = new LineModel();
    for (const options of [
      { model: given },
      { model: undefined, configuredModel: () => configured },
      { model: () => made },
    ]) {
      const trainer = new ComposableTrainer({ config: lineConfig(), ...options } as ComposableTrainerOptions);
      expect(trainer.context.model).toBeUndefined();
      expect(await trainer.model()).toBe(trainer.context.model);
      await trainer.dispose();
    }

    expect([given.disposed, configured.disposed, made.disposed]).toEqual([0, 0, 1]);
  });

  test("is asked for with words when there is none", async () => {
    await expect(new ComposableTrainer({ config: lineConfig() }).model()).rejects.toMatchObject({
      code: "USAGE",
    });
  });

  test("predicts row by row in the order asked for", async () => {
    const model = new LineModel();
    model.loadWeights(new Map([["w", { dtype: "float32", shape: [1, 1], data: Float32Array.of(3) }]]));
    const many = Int32Array.from({ length: 300 }, (_, row) => 1 - (row % 2));
    const before = tf.memory().numTensors;
    const { outputs, width } = await lineTrainer({ model }).predict(linePoints, many);

    expect(width).toBe(1);
    expect([...outputs.subarray(0, 3), outputs[299]]).toEqual([6, 3, 6, 3]);
    expect(tf.memory().numTensors).toBe(before);
    expect(await lineTrainer({ model }).predict(linePoints, new Int32Array(0))).toEqual({
      outputs: new Float32Array(0),
      width: 0,
    });
  });
});

describe("testing", () => {
  const half = { metricName: "accuracy", higherIsBetter: true, testModel: () => 0.5 };
  const scored = { metrics: { mock_score: 0.8, aux_metric: 0.2 }, primaryMetric: "mock_score" };
  let requests: EvaluationInput[] = [];
  registry.register("mock", () => ({
    evaluate(request) {
      requests.push(request);
      return new EvaluationResult({ evaluator: "mock", ...scored });
    },
  }));
  registry.register("boom", () => ({
    evaluate() {
      throw new Error("boom");
    },
  }));
  afterEach(() => {
    requests = [];
  });

  const tester = (evaluation: Record<string, unknown>, options: Partial<ComposableTrainerOptions> = {}) =>
    lineTrainer({
      config: lineConfig({}, { evaluation }),
      strategies: { testing: half },
      round: 1,
      ...options,
    });

  test("gives the strategy's scalar, whatever the evaluators say after it", async () => {
    const trainer = tester({ type: "mock" });
    trainer.tokenizer = { vocabulary: 7 };
    const { scalar, evaluations } = await trainer.testModel({ testset: linePoints, indices: bothRows });

    expect(scalar).toEqual({ name: "accuracy", value: 0.5, higherIsBetter: true });
    expect(evaluations.map(({ name, status }) => [name, status])).toEqual([["mock", "ok"]]);
    expect(requests[0]).toMatchObject({ localMetric: 0.5, round: 1, clientId: 0, sampler: bothRows });
    expect(requests[0]!.model).toBe(await trainer.model());
    expect(requests[0]!.trainer).toBe(trainer);
    expect(requests[0]!.tokenizer).toBe(trainer.tokenizer);
    expect(requests[0]!.context).toBe(trainer.context);
    const asked = requests[0]!.testset as typeof linePoints;
    expect(asked).not.toBe(linePoints);
    expect(asked).toBeInstanceOf(linePoints.constructor);
    expect([asked.length, asked.classes, asked.labels]).toEqual([2, 0, linePoints.labels]);
    expect(asked.batch([1])).toEqual(linePoints.batch([1]));
    expect(trainer.context.state.get("evaluation_primary")).toEqual({
      evaluator: "mock",
      metric: "mock_score",
      value: 0.8,
    });
  });

  test("keeps the scalar when an evaluator fails, and nothing of an earlier round", async () => {
    const trainer = tester({ type: "boom" }, { state: [["evaluation_results", { mock: { old: true } }]] });
    const { scalar, evaluations } = await trainer.testModel({ testset: linePoints });

    expect(scalar!.value).toBe(0.5);
    expect(evaluations[0]).toMatchObject({ status: "failed", reason: "boom" });
    expect(trainer.context.state.has("evaluation_results")).toBe(false);
    expect(trainer.context.state.has("evaluation_primary")).toBe(false);
  });

  describe("by evaluators that harm the model", () => {
    const three = Int32Array.of(0);
    const threeOf = (model: Model) => {
      const data = Float32Array.of(3);
      const weights = [...model.weights()].map(
        ([name, array]) => [name, { ...array, data: name === "w" ? data : array.data }] as const,
      );
      model.loadWeights(new Map(weights));
    };
    const evaluation = [{ type: "harms" }, { type: "slope" }, { type: "harms", name: "last" }];
    let harm: (model: Model) => void = () => {};
    registry.register("harms", () => ({
      evaluate({ model }) {
        harm(model as Model);
        return { evaluator: "harms", primaryMetric: "a", metrics: { a: 1 } };
      },
    }));
    registry.register("slope", () => ({
      async evaluate({ trainer, testset }) {
        const { outputs } = await trainer!.predict!(testset as typeof linePoints, three);
        return { evaluator: "slope", primaryMetric: "slope", metrics: { slope: outputs[0]! } };
      },
    }));
    const evaluated = async (model: ComposableTrainerOptions["model"]) => {
      const trainer = lineTrainer({ model: model!, config: lineConfig({}, { evaluation }), round: 1 });
      threeOf(await trainer.model());
      const report = await trainer.evaluate({ testset: linePoints }, null);
      return { trainer, statuses: report.evaluations.map(({ status }) => status), report };
    };
    const slopeIn = ({ report }: Awaited<ReturnType<typeof evaluated>>) =>
      report.evaluations[1]!.result?.metrics.slope;

    test("goes on with the trainer's weights, and leaves them as they were", async () => {
      harm = (model) => model.variables.get("w")!.assign(tf.zeros([1, 1]));
      const given = new LineModel();
      const found = await evaluated(given);

      expect(slopeIn(found)).toBe(3);
      expect(given.w).toBe(3);
    });

    test("makes a freed model of its own anew, and frees both", async () => {
      harm = (model) => model.dispose();
      const made: LineModel[] = [];
      const before = tf.memory().numTensors;
      const found = await evaluated(() => {
        made.push(new LineModel());
        return made.at(-1)!;
      });

      expect(slopeIn(found)).toBe(3);
      expect(made).toHaveLength(3);
      expect(await found.trainer.model()).toBe(made[2]);
      expect(found.trainer.context.model).toBe(made[2]);
      expect(made[2]!.w).toBe(3);
      await found.trainer.dispose();
      expect(tf.memory().numTensors).toBe(before);
    });

    test("makes a model anew of which a frozen weight was freed", async () => {
      harm = (model) => model.frozen!.get("offset")!.dispose();
      const found = await evaluated(() => {
        const model = new OffsetModel();
        model.freeze((name) => name === "w");
        return model;
      });

      expect(slopeIn(found)).toBe(3 + 10);
      expect(found.statuses).toEqual(["ok", "ok", "ok"]);
      await found.trainer.dispose();
    });

    test("makes a model anew of which something that is not trained was freed", async () => {
      const made: ReturnType<typeof layers.sequential>[] = [];
      harm = () => void made.at(-1)!.layers[1]!.weights[2]!.dispose();
      const found = await evaluated(() => {
        const net = layers.sequential();
        net.add(layers.layers.dense({ units: 1, inputShape: [1], kernelInitializer: "ones" }));
        net.add(layers.layers.batchNormalization({ epsilon: 0.25, movingVarianceInitializer: "ones" }));
        made.push(net);
        return modelFromLayers("line", net);
      });

      // 1 / sqrt(1 + 1/4).
      expect(slopeIn(found)).toBeCloseTo(0.8944272, 6);
      expect(found.statuses).toEqual(["ok", "ok", "ok"]);
      expect(made).toHaveLength(3);
      await found.trainer.dispose();
    });

    test("leaves a model that is not its own as it is found: what cannot be computed fails", async () => {
      harm = (model) => model.dispose();
      const found = await evaluated(new LineModel());

      expect(found.statuses).toEqual(["ok", "failed", "ok"]);
    });
  });

  test("clears what is out of date even where nothing is due", async () => {
    const trainer = tester({ type: "mock", every: 2 }, { state: [["evaluation_primary", {}]] });
    const { evaluations } = await trainer.testModel({ testset: linePoints });

    expect(evaluations).toEqual([]);
    expect(trainer.context.state.has("evaluation_primary")).toBe(false);
  });

  test("runs the evaluators on a client only when asked to", async () => {
    const trainer = tester({ type: "mock" }, { clientId: 3 });
    const alone = await trainer.testModel({ testset: linePoints });
    const asked = await trainer.testModel({ testset: linePoints, evaluators: {} });

    expect(alone.evaluations).toEqual([]);
    expect(asked.evaluations).toHaveLength(1);
    expect(requests[0]!.clientId).toBe(3);
  });

  test("uses the trainer's own evaluator where its type is the configured one", async () => {
    const warnings: string[] = [];
    const logger = createLogger("warn", (line) => warnings.push(line));
    const own = (type: string) => ({
      config: { type },
      evaluate: () => ({ evaluator: "own", primaryMetric: "a", metrics: { a: 1 } }),
    });
    const trainer = tester({ type: "mock" }, { logger });
    trainer.evaluatorOverride = own("mock");
    const { evaluations } = await trainer.testModel({ testset: linePoints });
    expect(evaluations[0]!.result!.evaluator).toBe("own");
    expect(warnings).toEqual([]);

    trainer.evaluatorOverride = own("another");
    const second = await trainer.testModel({ testset: linePoints });
    expect(second.evaluations[0]!.result!.evaluator).toBe("mock");
    expect(warnings).toHaveLength(1);
  });

  test("refuses a scalar that is no number", async () => {
    const testing = { ...half, testModel: () => "0.5" as never };
    const trainer = lineTrainer({ strategies: { testing } });

    await expect(trainer.testModel({ testset: linePoints })).rejects.toMatchObject({ code: "TEST_FAILED" });
  });

  test("tells a listener of each part before the next begins", async () => {
    const seen: string[] = [];
    const trainer = tester({ type: "mock", timeout: 12 });
    await trainer.testModel({
      testset: linePoints,
      listener: {
        onScalar: async ({ value }) => {
          await nextTurn();
          seen.push(`scalar ${value}`);
        },
        onEvaluatorStart: async (name, timeout) => {
          await nextTurn();
          seen.push(`${name} has ${timeout} s, ran ${requests.length}`);
        },
        onOutcome: ({ status }) => void seen.push(status),
      },
    });

    expect(seen).toEqual(["scalar 0.5", "mock has 12 s, ran 0", "ok"]);
  });
});
