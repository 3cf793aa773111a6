import { describe, expect, test } from "vitest";
import type { Optimizer } from "../../../src/algorithms/index.js";
import { schedulers } from "../../../src/trainers/strategies/index.js";
import { expectClose } from "../../support/cpuTensors.js";
import golden from "../goldens/pytorch.json" with { type: "json" };
import { scheduleSuite } from "../suites/scheduleSuite.js";
import { contextOf, planOf } from "../trainerParts.js";

function optimizerAt(learningRate: number, momentum?: number): Optimizer {
  return { learningRate, momentum, step: () => {}, dispose: () => {} };
}

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

describe("the golden rates of PyTorch", () => {
  test.each(golden.schedules)(
    "are those of $name with $options",
    async ({ name, options, rates, momenta }) => {
      const optimizer = optimizerAt(0.4, 0.5);
      const strategy = await schedulers.lookup(name)(options, { epochs: 4 });
      const scheduler = strategy.createScheduler(optimizer, contextOf(), planOf());
      const followed = rates.map(() => {
        const { learningRate, momentum } = optimizer;
        scheduler.step();
        return { learningRate, momentum };
      });
      expectClose(
        followed.map(({ learningRate }) => learningRate),
        rates,
      );
      expectClose(
        followed.map(({ momentum }) => momentum!),
        momenta,
      );
    },
  );

  test.each(golden.plateaus)("are those of ReduceLROnPlateau with $options", async ({ options, rates }) => {
    const optimizer = optimizerAt(0.4);
    const strategy = await schedulers.lookup("ReduceLROnPlateau")(options, { epochs: 4 });
    const scheduler = strategy.createScheduler(optimizer, contextOf(), planOf());
    const followed = golden.losses_of_epochs.map((loss) => {
      const { learningRate } = optimizer;
      scheduler.step(loss);
      return learningRate;
    });
    expectClose(followed, rates);
  });
});

describe("a schedule in the place it was left", () => {
  test("is that of the client's own losses on a plateau over rounds, and begins anew without", async () => {
    const context = contextOf();
    const strategy = await schedulers.lookup("ReduceLROnPlateau")(
      { patience: 0, factor: 0.5 },
      { epochs: 1 },
    );
    const round = (overRounds: boolean, loss: number) => {
      const optimizer = optimizerAt(1);
      const scheduler = strategy.createScheduler(optimizer, context, planOf({ overRounds }));
      const { learningRate } = optimizer;
      scheduler.step(loss);
      return learningRate;
    };
    expect([3, 4, 2, 2].map((loss) => round(true, loss))).toEqual([1, 1, 0.5, 0.5]);
    expect(round(true, 9)).toBe(0.25);
    expect([3, 4, 5].map((loss) => round(false, loss))).toEqual([1, 1, 1]);
  });

  test("keeps to its plateau where a loss is no number", async () => {
    const optimizer = optimizerAt(1);
    const strategy = await schedulers.lookup("ReduceLROnPlateau")(
      { patience: 1, factor: 0.5 },
      { epochs: 1 },
    );
    const scheduler = strategy.createScheduler(optimizer, contextOf(), planOf());
    for (const loss of [Number.NaN, 3, Number.NaN, Number.NaN]) scheduler.step(loss);
    expect(optimizer.learningRate).toBe(0.5);
  });
});

describe("a warm-up over epochs", () => {
  test("comes before the schedule, which then begins with its own first epoch", async () => {
    const parameters = { gamma: 0.5, warmup_epochs: 2, warmup_start_lr: 0.2 };
    expectClose(await rates("ExponentialLR", parameters, 5), [0.2, 0.6, 1, 0.5, 0.25]);
  });

  test("takes its epochs off those of a cosine", async () => {
    // Four epochs in all: two to rise, two to fall.
    expectClose(await rates("CosineAnnealingLR", { warmup_epochs: 2 }, 5), [0, 0.5, 1, 0.5, 0]);
  });

  test("goes on over rounds", async () => {
    const strategy = await schedulers.lookup("StepLR")(
      { step_size: 1, gamma: 0.5, warmup_epochs: 3 },
      { epochs: 8 },
    );
    const startOf = (epochsBefore: number) => {
      const optimizer = optimizerAt(1);
      strategy.createScheduler(optimizer, contextOf(), planOf({ epochs: 8, epochsBefore, overRounds: true }));
      return optimizer.learningRate;
    };
    expectClose([0, 1, 2, 3, 4, 5].map(startOf), [0, 1 / 3, 2 / 3, 1, 0.5, 0.25]);
  });
});

describe("Plato's ways to write steps", () => {
  test("MultiStepLR takes epochs as a string", async () => {
    const parameters = { milestone_steps: "1ep, 3", gamma: 0.5 };
    expectClose(await rates("MultiStepLR", parameters, 5), [1, 0.5, 0.5, 0.25, 0.25]);
  });

  test("LambdaLR takes epochs and updates, for warming up and for falling", async () => {
    const strategy = await schedulers.lookup("LambdaLR")(
      { milestone_steps: "1ep1it,7it", gamma: 0.1, warmup_steps: "2it" },
      { epochs: 1 },
    );
    const optimizer = optimizerAt(1);
    const scheduler = strategy.createScheduler(optimizer, contextOf(), planOf({ updatesPerEpoch: 4 }));
    const followed = Array.from({ length: 8 }, () => {
      const { learningRate } = optimizer;
      scheduler.afterUpdate!();
      return learningRate;
    });
    // Four updates an epoch: the first fall is at update 5.
    expectClose(followed, [0, 0.5, 1, 1, 1, 0.1, 0.1, 0.01]);
  });

  test.each([
    ["MultiStepLR", {}, /needs either milestones/],
    ["MultiStepLR", { milestones: [1], milestone_steps: "1ep" }, /needs either milestones/],
    ["MultiStepLR", { milestone_steps: "8 epochs" }, /expected epochs/],
    ["LambdaLR", { gamma: 0.5 }, /needs both milestone_steps and gamma/],
    ["LambdaLR", { warmup_steps: "5" }, /expected epochs or updates/],
    ["LambdaLR", { warmup_steps: "1ep,2ep" }, /expected one number/],
    ["CyclicLR", { base_lr: 0.1 }, /max_lr/],
    ["ExponentialLR", { gama: 0.9 }, /Did you mean "gamma"\?/],
    ["CosineAnnealingWarmRestarts", { T_O: 4 }, /Did you mean "T_0"\?/],
  ])("%s refuses %j", async (name, parameters, message) => {
    const made = async () => schedulers.lookup(name)(parameters, { epochs: 1 });
    await expect(made()).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringMatching(message),
    });
  });
});

test("CyclicLR says so where there is no momentum to move", async () => {
  const strategy = await schedulers.lookup("CyclicLR")({ base_lr: 0.1, max_lr: 1 }, { epochs: 1 });
  expect(() => strategy.createScheduler(optimizerAt(1), contextOf(), planOf())).toThrow(
    expect.objectContaining({
      code: "CAPABILITY_MISSING",
      message: expect.stringContaining("cycle_momentum"),
    }),
  );
});

scheduleSuite("ConstantLR", { factor: 0.5, total_iters: 2 });
scheduleSuite("StepLR", { step_size: 2 });
scheduleSuite("MultiStepLR", { milestones: [1, 3] });
scheduleSuite("ExponentialLR", { gamma: 0.9 });
scheduleSuite("LinearLR", {});
scheduleSuite("PolynomialLR", {});
scheduleSuite("CosineAnnealingLR", { eta_min: 0.1 });
scheduleSuite("CosineAnnealingWarmRestarts", { T_0: 2, T_mult: 2 });
scheduleSuite("CyclicLR", { base_lr: 0.1, max_lr: 1, step_size_up: 2 });
scheduleSuite("ReduceLROnPlateau", { patience: 1 });
scheduleSuite("LinearLR", { warmup_epochs: 2 });
scheduleSuite("LambdaLR", { warmup_steps: "1ep", milestone_steps: "2ep", gamma: 0.5 });
scheduleSuite("constant", {});
scheduleSuite("constant_with_warmup", { warmup_steps: 3 });
scheduleSuite("linear", { warmup_ratio: 0.2 });
scheduleSuite("cosine", {});
scheduleSuite("nanochat", { warmup_steps: 2 });
