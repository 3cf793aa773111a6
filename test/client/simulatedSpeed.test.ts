import { describe, expect, it } from "vitest";
import { simulatedTime, sleepTime } from "../../src/client/simulatedSpeed.js";
import type { Config } from "../../src/config/index.js";
import { configOf } from "../server/support/federation.js";

const clientsOf = (keys: Record<string, unknown>): Config["clients"] =>
  configOf({ clients: { speed_simulation: true, max_sleep_time: 1e9, ...keys } }).clients;
const times = (distribution: Record<string, unknown>, count = 4000) => {
  const clients = clientsOf({ simulation_distribution: distribution });
  return Array.from({ length: count }, (_, index) => sleepTime(clients, index + 1));
};
const share = (values: readonly number[], fits: (value: number) => boolean) =>
  values.filter(fits).length / values.length;

describe("a client's time to sleep", () => {
  it("has the distribution that is asked for", () => {
    // A share of 4,000 draws is off by less than 0.04 in five of five standard deviations.
    const near = (value: number) => ({ above: value - 0.04, below: value + 0.04 });
    const expectShare = (found: number, expected: number) => {
      expect(found).toBeGreaterThan(near(expected).above);
      expect(found).toBeLessThan(near(expected).below);
    };
    // Lomax: P(x > t) = (1 + t)^-alpha.
    const pareto = times({ distribution: "pareto", alpha: 2 });
    expectShare(
      share(pareto, (value) => value > 1),
      0.25,
    );
    expectShare(
      share(pareto, (value) => value > 3),
      1 / 16,
    );
    const normal = times({ distribution: "normal", mean: 1, sd: 1 });
    expectShare(
      share(normal, (value) => value > 2),
      0.1587,
    );
    expectShare(
      share(normal, (value) => value === 0),
      0.1587,
    );
    const uniform = times({ distribution: "uniform", low: 2, high: 4 });
    expect(Math.min(...uniform)).toBeGreaterThanOrEqual(2);
    expect(Math.max(...uniform)).toBeLessThan(4);
    expectShare(
      share(uniform, (value) => value < 2.5),
      0.25,
    );
    // zeta(2) = pi^2 / 6: P(1) = 0.6079, P(2) a quarter of it.
    const zipf = times({ distribution: "zipf", s: 2 });
    expect(zipf.every((value) => Number.isInteger(value) && value >= 1)).toBe(true);
    expectShare(
      share(zipf, (value) => value === 1),
      0.6079,
    );
    expectShare(
      share(zipf, (value) => value === 2),
      0.152,
    );
  });

  it("is the same whenever it is asked for, another one for every client and seed, and none without simulation", () => {
    const clients = clientsOf({});
    expect(sleepTime(clients, 3)).toBe(sleepTime(clients, 3));
    expect(sleepTime(clients, 3)).not.toBe(sleepTime(clients, 4));
    expect(sleepTime(clients, 3)).not.toBe(sleepTime({ ...clients, random_seed: 2 }, 3));
    expect(sleepTime({ ...clients, speed_simulation: false }, 3)).toBe(0);
  });

  it("has a largest value", () => {
    expect(sleepTime(clientsOf({ max_sleep_time: 1e-9 }), 1)).toBe(1e-9);
  });
});

describe("simulated training", () => {
  const distribution = { distribution: "uniform", low: 0.02, high: 0.02 };
  const config = (keys: Record<string, unknown>) =>
    configOf({
      clients: { speed_simulation: true, simulation_distribution: distribution, ...keys },
      trainer: { epochs: 3 },
    });
  const trained = { clientId: 1, trainingTime: 0.5 };
  const { signal } = new AbortController();

  it("takes as long as it really does without it", async () => {
    expect(await simulatedTime(config({ speed_simulation: false }), trained, signal)).toBe(0.5);
  });

  it("sleeps for every epoch, and stops with the work", async () => {
    const startedAt = performance.now();
    expect(await simulatedTime(config({}), trained, signal)).toBeCloseTo(0.56, 12);
    expect(performance.now() - startedAt).toBeGreaterThan(55);
    const slow = config({ simulation_distribution: { ...distribution, low: 60, high: 60 } });
    await expect(simulatedTime(slow, trained, AbortSignal.abort())).rejects.toThrow();
  });

  it("says that it took average and sleep for every epoch, and does not wait", async () => {
    const simulated = config({
      sleep_simulation: true,
      avg_training_time: 10,
      simulation_distribution: { ...distribution, low: 4, high: 4 },
    });
    expect(await simulatedTime(simulated, trained, signal)).toBe(42);
  });
});
