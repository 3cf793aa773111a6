import { setTimeout } from "node:timers/promises";
import { createRandom, type Random } from "../base/index.js";
import type { Config } from "../config/index.js";

/**
 * The time a logical client sleeps in every epoch, in seconds: drawn once from `clients.simulation_distribution`, the
 * same in every round and process, and none without `clients.speed_simulation`.
 */
export function sleepTime(clients: Config["clients"], clientId: number): number {
  if (!clients.speed_simulation) return 0;
  const random = createRandom(clients.random_seed, "speed", clientId);
  return Math.min(clients.max_sleep_time, draw(clients.simulation_distribution, random));
}

/**
 * Makes training take the time that the client's simulated speed gives it: sleeps, or with `clients.sleep_simulation`
 * only says so.
 * @param trainingTime seconds that it really took
 * @returns seconds to report
 */
export async function simulatedTime(
  { clients, trainer }: Config,
  { clientId, trainingTime }: { clientId: number; trainingTime: number },
  signal: AbortSignal,
): Promise<number> {
  if (!clients.speed_simulation) return trainingTime;
  const seconds = sleepTime(clients, clientId);
  if (clients.sleep_simulation) return ((clients.avg_training_time ?? 0) + seconds) * trainer.epochs;
  await setTimeout(seconds * trainer.epochs * 1000, undefined, { signal });
  return trainingTime + seconds * trainer.epochs;
}

/** Seconds, not negative. Distributions as numpy has them: its Pareto begins at 0, its Zipf at 1. */
function draw(by: Config["clients"]["simulation_distribution"], random: Random): number {
  // In (0, 1].
  const uniform = () => 1 - random.next();
  switch (by.distribution) {
    case "pareto":
      return uniform() ** (-1 / by.alpha) - 1;
    case "normal":
      return Math.max(0, by.mean + by.sd * random.normal());
    case "uniform":
      return by.low + (by.high - by.low) * random.next();
    case "zipf":
      return zipf(by.s, uniform);
  }
}

/** A whole number from 1 with probability proportional to its power of -s (Devroye 1986, chapter X.6.1). */
function zipf(s: number, uniform: () => number): number {
  const bound = 2 ** (s - 1);
  for (;;) {
    const value = Math.floor(uniform() ** (-1 / (s - 1)));
    const ratio = (1 + 1 / value) ** (s - 1);
    if ((uniform() * value * (ratio - 1)) / (bound - 1) <= ratio / bound) return value;
  }
}
