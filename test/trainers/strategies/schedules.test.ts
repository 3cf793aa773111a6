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
