import { createRandom, type RandomState } from "../base/index.js";

/** Draws the logical clients of rounds. */
export interface Selection {
  /** `count` distinct members of the pool, uniformly, in the order drawn. */
  draw(pool: readonly number[], count: number): number[];
  state(): RandomState;
}

/**
 * Selection with a generator of its own, so that no other random choice of a run disturbs it.
 * @param seed `server.random_seed`
 * @param resumed the state after the last draw of an earlier run
 */
export function createSelection(seed: number, resumed?: RandomState): Selection {
  const random = createRandom(seed, "selection");
  if (resumed !== undefined) random.restore(resumed);
  return {
    draw: (pool, count) => random.sample(pool.length, count).map((index) => pool[index]!),
    state: () => random.state(),
  };
}
