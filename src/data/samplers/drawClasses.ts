import type { Random } from "../../base/index.js";

/**
 * Classes of one client: the first by turns, so that all are held where there are enough clients, the others drawn,
 * all different.
 * @param place of the client, from 0
 * @param pool classes to choose from, at least `count`
 */
export function drawClasses(pool: readonly number[], place: number, count: number, random: Random): number[] {
  const first = pool[place % pool.length]!;
  const others = random.shuffle(pool.filter((label) => label !== first));
  return [first, ...others.slice(0, count - 1)];
}
