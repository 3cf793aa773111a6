import type { Random } from "../../base/index.js";

/**
 * Draws `size` rows one after the other without replacement, each remaining row with a chance proportional to the
 * weight of its class. All remaining rows of a class weigh the same, so drawing a class by the weight of its remaining
 * rows and then one of those evenly is the same draw, at the cost of the classes instead of the rows.
 *
 * Weights that are zero to a double's precision count only when nothing else is left, and then all rows are alike.
 * @param pools rows of each class, left as they are; together at least `size`
 * @param weights of a row of each class
 */
export function weightedDraw(
  pools: readonly Int32Array[],
  weights: ArrayLike<number>,
  size: number,
  random: Random,
): Int32Array {
  const left = Int32Array.from(pools, (pool) => pool.length);
  // What stands at the place of a row that was drawn: pools are shared by all clients, so none is changed.
  const moved = pools.map(() => new Map<number, number>());
  const drawn = new Int32Array(size);
  for (let place = 0; place < size; place++) {
    const label = drawClass(left, weights, random);
    const chosen = random.int(left[label]!);
    const pool = pools[label]!;
    const stands = moved[label]!;
    drawn[place] = pool[stands.get(chosen) ?? chosen]!;
    const last = --left[label]!;
    stands.set(chosen, stands.get(last) ?? last);
  }
  return drawn;
}

function drawClass(left: Int32Array, weights: ArrayLike<number>, random: Random): number {
  let total = 0;
  for (let label = 0; label < left.length; label++) total += left[label]! * weights[label]!;
  const alike = total === 0;
  if (alike) for (const rows of left) total += rows;
  let rest = random.next() * total;
  let last = 0;
  for (let label = 0; label < left.length; label++) {
    const weight = left[label]! * (alike ? 1 : weights[label]!);
    if (weight === 0) continue;
    if (rest < weight) return label;
    rest -= weight;
    last = label;
  }
  return last;
}
