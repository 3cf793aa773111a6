import { describe, expect, test } from "vitest";
import type { Optimizer } from "../../../src/algorithms/index.js";
import { schedulers } from "../../../src/trainers/strategies/index.js";
import { expectClose } from "../../support/cpuTensors.js";
import { contextOf, planOf } from "../trainerParts.js";

/** The learning rate in each epoch, from 1. */
async function rates(name: string, parameters: Record<string, unknown>, epochs: number): Promise<number[]> {
  const optimizer: Optimizer = { learningRate: 1, step: () => {}, dispose: () => {} };
  const strategy = await schedulers.lookup(name)(parameters, { epochs: 4 });
  const scheduler = strategy.createScheduler(optimizer, contextOf(), planOf());
  return Array.from({ length: epochs }, () => {
    const rate = optimizer.learningRate;
    scheduler.step();
    return rate;
  });
}

describe("the learning rate", () => {
  test("is constant with ConstantLR", async () => {
    expect(await rates("ConstantLR", {}, 3)).toEqual([1, 1, 1]);
  });

  test("may be smaller in the first epochs", async () => {
    expect(await rates("ConstantLR", { factor: 0.5, total_iters: 2 }, 4)).toEqual([0.5, 0.5, 1, 1]);
  });

  test("falls by gamma every step_size epochs with StepLR", async () => {
    expectClose(await rates("StepLR", { step_size: 2, gamma: 0.5 }, 5), [1, 1, 0.5, 0.5, 0.25]);
    expectClose(await rates("StepLR", { step_size: 1 }, 3), [1, 0.1, 0.01]);
  });

  test("falls along half a cosine with CosineAnnealingLR", async () => {
    // 0.2 + 0.8 (1 + cos(0, 45, 90, 135, 180 degrees)) / 2; then it rises again.
    const expected = [1, 0.882842712, 0.6, 0.317157288, 0.2, 0.317157288];
    expectClose(await rates("CosineAnnealingLR", { T_max: 4, eta_min: 0.2 }, 6), expected);
  });

  test("reaches the end of the cosine after trainer.epochs by default", async () => {
    expectClose(await rates("CosineAnnealingLR", {}, 5), [1, 0.853553391, 0.5, 0.146446609, 0]);
  });
});

describe("schedules by update", () => {
  /** The factor of each update, from the first on. */
  async function factors(
    name: string,
    parameters: Record<string, unknown>,
    updates: number,
    plan: Partial<Parameters<typeof planOf>[0]> = { updatesPerEpoch: updates },
  ): Promise<number[]> {
    const optimizer: Optimizer = { learningRate: 2, step: () => {}, dispose: () => {} };
    const strategy = await schedulers.lookup(name)(parameters, { epochs: 1 });
    const scheduler = strategy.createScheduler(optimizer, contextOf(), planOf(plan));
    return Array.from({ length: updates }, () => {
      const factor = optimizer.learningRate / 2;
      scheduler.afterUpdate!();
      scheduler.step();
      return factor;
    });
  }

  // Values of transformers' get_*_schedule_with_warmup, by their formulas.
  test("rise from 0 by equal steps, and stay", async () => {
    expectClose(await factors("constant_with_warmup", { warmup_steps: 4 }, 6), [0, 0.25, 0.5, 0.75, 1, 1]);
    expectClose(await factors("constant", {}, 3), [1, 1, 1]);
  });

  test("fall in a straight line to 0, which the update after the last would have", async () => {
    expectClose(await factors("linear", { warmup_steps: 2 }, 6), [0, 0.5, 1, 0.75, 0.5, 0.25]);
    expectClose(await factors("linear", {}, 4), [1, 0.75, 0.5, 0.25]);
  });

  test("fall along half a cosine", async () => {
    // (1 + cos(pi k / 4)) / 2 for k = 0 to 3.
    const falling = [1, (1 + Math.SQRT1_2) / 2, 0.5, (1 - Math.SQRT1_2) / 2];
    expectClose(await factors("cosine", { warmup_steps: 2 }, 6), [0, 0.5, ...falling]);
    const floored = await factors("cosine", { min_lr_rate: 0.2 }, 4);
    expectClose(
      floored,
      falling.map((factor) => 0.2 + 0.8 * factor),
    );
    // A whole wave goes down and up again.
    expectClose(await factors("cosine", { num_cycles: 1 }, 4), [1, 0.5, 0, 0.5]);
  });

  test("warm up over a share of the updates, rounded up; a number of them comes first", async () => {
    expectClose(await factors("constant_with_warmup", { warmup_ratio: 0.3 }, 5), [0, 0.5, 1, 1, 1]);
    const both = { warmup_steps: 1, warmup_ratio: 1 };
    expectClose(await factors("constant_with_warmup", both, 3), [0, 1, 1]);
  });

  test("go on over epochs, and over rounds where they span them", async () => {
    expectClose(await factors("linear", {}, 4, { epochs: 2, updatesPerEpoch: 2 }), [1, 0.75, 0.5, 0.25]);
    const third = { epochs: 4, epochsBefore: 2, updatesPerEpoch: 2 };
    expectClose(await factors("linear", {}, 2, third), [0.5, 0.375]);
    // One that ends early stays at its end.
    expectClose(await factors("linear", {}, 3, { updatesPerEpoch: 2 }), [1, 0.5, 0]);
  });

  test("of epochs span rounds too", async () => {
    const optimizer: Optimizer = { learningRate: 1, step: () => {}, dispose: () => {} };
    const strategy = await schedulers.lookup("StepLR")({ step_size: 1, gamma: 0.5 }, { epochs: 4 });
    strategy.createScheduler(optimizer, contextOf(), planOf({ epochs: 4, epochsBefore: 3 }));
    expect(optimizer.learningRate).toBe(0.125);
  });
});
