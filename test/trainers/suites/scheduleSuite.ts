import { describe, expect, test } from "vitest";
import type { Optimizer } from "../../../src/algorithms/index.js";
import { schedulers } from "../../../src/trainers/strategies/index.js";
import { contextOf, planOf } from "../trainerParts.js";

const UPDATES = 2;

/** What every schedule must keep to. */
export function scheduleSuite(name: string, parameters: Record<string, unknown>): void {
  /** The rates of rounds of so many epochs, each with a scheduler of its own that goes on where the last has ended. */
  const overRounds = async (rounds: number, epochs: number): Promise<number[]> => {
    const all = rounds * epochs;
    const strategy = await schedulers.lookup(name)(parameters, { epochs: all });
    const context = contextOf();
    const rates: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const optimizer: Optimizer = { learningRate: 0.5, momentum: 0.5, step: () => {}, dispose: () => {} };
      const span = { epochs: all, epochsBefore: round * epochs, updatesPerEpoch: UPDATES, overRounds: true };
      const scheduler = strategy.createScheduler(optimizer, context, planOf(span));
      for (let epoch = 0; epoch < epochs; epoch++) {
        for (let update = 0; update < UPDATES; update++) {
          rates.push(optimizer.learningRate);
          scheduler.afterUpdate?.();
        }
        scheduler.step(1);
      }
    }
    return rates;
  };

  describe(`the schedule ${name} with ${JSON.stringify(parameters)}`, () => {
    test("has the same rates in one round and over several", async () => {
      expect(await overRounds(3, 2)).toEqual(await overRounds(1, 6));
    });

    test("gives numbers that are no less than 0, far beyond its end too", async () => {
      const rates = await overRounds(1, 40);
      expect(rates.every((rate) => Number.isFinite(rate) && rate >= 0)).toBe(true);
    });
  });
}
