import "../support/cpuTensors.js";
import { describe, expect, test } from "vitest";
import type { Optimizer } from "../../src/algorithms/index.js";
import { createByteTokenizer } from "../../src/tokenizers/index.js";
import { type ComposableTrainerOptions, LanguageTrainer, trainers } from "../../src/trainers/index.js";
import { SgdStrategy } from "../../src/trainers/strategies/kit.js";
import { tinyConfig } from "./fixtures/tinyConfig.js";
import { tokenRows, UnigramModel } from "./fixtures/unigramModel.js";

/** Row 0 has three labels, all 0; row 1 has one, a 1; row 2 has none. */
const rows = tokenRows([
  [1, 0, 0, 0],
  [0, null, 1, 1],
  [0, null, 1],
]);

function trainerOf(trainer: object, more: Partial<ComposableTrainerOptions> = {}) {
  const config = tinyConfig({
    trainer: { type: "gpt", model_name: "gpt", batch_size: 1, epochs: 1, ...trainer },
  });
  return new LanguageTrainer({ config, model: new UnigramModel([0, 0]), ...more });
}

describe("a trainer of language models", () => {
  test("reports the mean loss over tokens, and the rows that it was trained on", async () => {
    const still = { createOptimizer: () => ({ learningRate: 0, step: () => {}, dispose: () => {} }) };
    const model = new UnigramModel([Math.log(3), 0]);
    const trainer = trainerOf({}, { model, strategies: { optimizer: still } });
    const report = await trainer.train({ trainset: rows, indices: Int32Array.of(0, 1, 2) });

    expect(report.numSamples).toBe(3);
    // Three labels at ln 4/3, one at ln 4; the third row asks for nothing.
    expect(report.trainLoss).toBeCloseTo((3 * Math.log(4 / 3) + Math.log(4)) / 4, 6);
  });

  test("tells of updates, not of batches, and moves its schedule on with them", async () => {
    const rates: number[] = [];
    let told = 0;
    class Told extends SgdStrategy {
      onOptimizerStep() {
        told++;
      }
      override createOptimizer(): Optimizer {
        const optimizer = super.createOptimizer();
        const step = optimizer.step.bind(optimizer);
        optimizer.step = (...given) => {
          rates.push(optimizer.learningRate);
          step(...given);
        };
        return optimizer;
      }
    }
    const trainer = trainerOf(
      { gradient_accumulation_steps: 2, epochs: 2, lr_scheduler: "linear", optimizer: "SGD" },
      {
        strategies: {
          optimizer: new Told({ lr: 1, momentum: 0, dampening: 0, weight_decay: 0, nesterov: false }),
        },
      },
    );
    await trainer.train({ trainset: rows, indices: Int32Array.of(0, 1, 0) });

    // Three batches an epoch are two updates, so four in all.
    expect(rates).toEqual([1, 0.75, 0.5, 0.25]);
    expect(told).toBe(4);
  });

  test("goes on with its schedule where earlier rounds stopped, when it spans them all", async () => {
    const begins = async (round: number, global_lr_scheduler: boolean) => {
      let rate: number | undefined;
      const optimizer = {
        learningRate: 8,
        step: () => {
          rate ??= optimizer.learningRate;
        },
        dispose: () => {},
      };
      const trainer = trainerOf(
        { lr_scheduler: "linear", rounds: 4, global_lr_scheduler },
        { round, strategies: { optimizer: { createOptimizer: () => optimizer } } },
      );
      await trainer.train({ trainset: rows, indices: Int32Array.of(0, 1) });
      return rate;
    };
    expect(await begins(3, false)).toBe(8);
    // Four of eight updates lie behind.
    expect(await begins(3, true)).toBe(4);
    expect(await begins(1, true)).toBe(8);
  });

  test("tests by perplexity", async () => {
    const model = new UnigramModel([Math.log(3), 0]);
    const { scalar } = await trainerOf({}, { model }).testModel({ testset: rows, indices: Int32Array.of(1) });
    expect(scalar).toEqual({ name: "perplexity", value: expect.closeTo(4, 5), higherIsBetter: false });
  });

  test("hands evaluators the tokenizer it was given", async () => {
    const tokenizer = createByteTokenizer();
    const { config } = { config: tinyConfig({ trainer: { type: "gpt", model_name: "gpt" } }) };
    for (const type of ["gpt", "HuggingFace", "basic"]) {
      const trainer = await trainers.lookup(type)({ config, tokenizer });
      expect(trainer.tokenizer).toBe(tokenizer);
    }
  });

  test("has no one output for a row of tokens", async () => {
    await expect(trainerOf({}).predict(rows, Int32Array.of(0))).rejects.toMatchObject({
      code: "CAPABILITY_MISSING",
    });
  });
});

test("a trainer of images says what to use for text", async () => {
  const config = tinyConfig();
  const trainer = await trainers.lookup("basic")({
    config,
    configuredModel: () => new UnigramModel([0, 0]),
  });
  await expect(trainer.testModel({ testset: rows })).rejects.toMatchObject({
    code: "DATA_INVALID",
    message: expect.stringContaining('trainer.type = "gpt"'),
  });
});
