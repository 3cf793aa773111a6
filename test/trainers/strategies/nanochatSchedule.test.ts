import * as tf from "@tensorflow/tfjs-core";
import { describe, expect, test } from "vitest";
import type { Optimizer } from "../../../src/algorithms/index.js";
import type { Model } from "../../../src/models/index.js";
import { schedulers } from "../../../src/trainers/strategies/index.js";
import { Muon } from "../../../src/trainers/strategies/muon.js";
import { muonOptions } from "../../../src/trainers/strategies/muonOptions.js";
import { expectClose } from "../../support/cpuTensors.js";
import { contextOf, planOf } from "../trainerParts.js";

const plain = (): Optimizer => ({ learningRate: 2, step: () => {}, dispose: () => {} });

/** What `read` says of the optimizer at each update from the first. */
async function walk(
  optimizer: Optimizer,
  parameters: Record<string, unknown>,
  plan: { updatesPerEpoch: number; epochs?: number; epochsBefore?: number },
  read: () => number,
): Promise<number[]> {
  const strategy = await schedulers.lookup("nanochat")(parameters, { epochs: 1 });
  const scheduler = strategy.createScheduler(optimizer, contextOf(), planOf(plan));
  return Array.from({ length: plan.updatesPerEpoch }, () => {
    const now = read();
    scheduler.afterUpdate?.();
    return now;
  });
}

describe("the schedule nanochat", () => {
  test("rises to the rate, stays, and falls towards its last share", async () => {
    const optimizer = plain();
    const options = { warmup_steps: 3, warmdown_ratio: 0.5, final_lr_frac: 0.2 };
    const rates = await walk(optimizer, options, { updatesPerEpoch: 8 }, () => optimizer.learningRate);
    // Twice 1/3, 2/3, 3/3; 1 up to update 8 - 4; then 3/4, 2/4, 1/4 of the way to 0.2: 0.8 left + 0.2.
    expectClose(rates, [2 / 3, 4 / 3, 2, 2, 2, 1.6, 1.2, 0.8]);
  });

  test("goes on over the rounds where it runs over all of them", async () => {
    const optimizer = plain();
    const options = { warmup_steps: 3, warmdown_ratio: 0.5, final_lr_frac: 0.2 };
    const plan = { updatesPerEpoch: 4, epochs: 2, epochsBefore: 1 };
    expectClose(await walk(optimizer, options, plan, () => optimizer.learningRate), [2, 1.6, 1.2, 0.8]);
  });

  test("without warming and falling is constant", async () => {
    const optimizer = plain();
    const options = { warmup_steps: 0, warmdown_ratio: 0 };
    expect(await walk(optimizer, options, { updatesPerEpoch: 3 }, () => optimizer.learningRate)).toEqual([
      2, 2, 2,
    ]);
  });

  test("leads Muon's momentum up and down, and its decay to nothing", async () => {
    const weight = tf.variable(tf.tensor2d([[1]]));
    const model = { name: "m", variables: new Map([["h.0.w", weight]]) } as unknown as Model;
    const muon = new Muon(model, muonOptions.parse({ lr: 0.5 }));
    const options = {
      warmup_steps: 0,
      warmdown_ratio: 0.5,
      momentum_start: 0.8,
      momentum_peak: 0.96,
      momentum_end: 0.9,
      momentum_warmup_steps: 2,
    };
    const momenta = await walk(muon, options, { updatesPerEpoch: 6 }, () => muon.momentum);
    // From 0.8 in halves; at its peak up to update 6 - 3; then by thirds of 0.06.
    expectClose(momenta, [0.8, 0.88, 0.96, 0.96, 0.94, 0.92]);
    const factors = await walk(muon, options, { updatesPerEpoch: 6 }, () => muon.decayFactor);
    // (1 + cos(0, 30, 60, 90, 120, 150 degrees)) / 2
    expectClose(factors, [1, 0.933012702, 0.75, 0.5, 0.25, 0.066987298]);
    expect(muon.learningRate).toBeLessThan(0.5);
    muon.dispose();
    weight.dispose();
  });
});
