import { ElenchusError } from "../../base/index.js";
import type { CacheContent } from "./keyValueCache.js";
import type { Places } from "./mask.js";

/** Places of new tokens in rows that go on from a cache: [rows * length]. */
export function newPlaces({ lengths }: CacheContent, own: Int32Array, length: number): Int32Array {
  const places = new Int32Array(own.length * length);
  for (let row = 0; row < own.length; row++) {
    for (let index = 0; index < length; index++) {
      // Padding gets the place of the last token: a place that the model certainly has.
      const last = Math.max(lengths[row]! + own[row]! - 1, 0);
      places[row * length + index] = Math.min(lengths[row]! + index, last);
    }
  }
  return places;
}

/**
 * Of each token the place in its row of the one it follows, as given; padding follows nothing.
 * @throws DATA_INVALID where one follows none that stands before it
 */
export function knownParents(given: ArrayLike<number>, own: Int32Array, length: number): Int32Array {
  return Int32Array.from({ length: own.length * length }, (_, at) => {
    const [row, index] = [Math.floor(at / length), at % length];
    if (index >= own[row]!) return -1;
    const parent = given[at];
    if (parent !== undefined && Number.isInteger(parent) && parent >= -1 && parent < index) return parent;
    throw new ElenchusError(
      "DATA_INVALID",
      `Token ${index} of row ${row} is said to follow ${parent}. Expected the place of an earlier one in the row, or -1.`,
    );
  });
}

/** A token's place is one more than that of the token it follows; padding has one that the model certainly has. */
export function branchingPlaces(
  parents: Int32Array,
  { lengths }: CacheContent,
  own: Int32Array,
  length: number,
): Places {
  const places = new Int32Array(parents.length);
  for (let row = 0, at = 0; row < own.length; row++) {
    for (let index = 0; index < length; index++, at++) {
      const parent = parents[at]!;
      if (parent >= 0) places[at] = places[at - index + parent]! + 1;
      else places[at] = index < own[row]! ? lengths[row]! : Math.max(0, lengths[row]! - 1);
    }
  }
  return { rows: own.length, each: length, places };
}

/** Tokens of the longest text in each row. */
export function deepest({ each, places }: Places, before: Int32Array): Int32Array {
  return before.map((held, row) =>
    places.subarray(row * each, (row + 1) * each).reduce((most, place) => Math.max(most, place + 1), held),
  );
}

/** Places of what the cache holds, then of the new tokens; padding has -1. */
export function joinedPlaces({ positions, slots }: CacheContent, queries: Places, own: Int32Array): Places {
  const each = slots + queries.each;
  const places = new Int32Array(own.length * each);
  for (let row = 0; row < own.length; row++) {
    places.set(positions.subarray(row * slots, (row + 1) * slots), row * each);
    for (let index = 0; index < queries.each; index++) {
      places[row * each + slots + index] =
        index < own[row]! ? queries.places[row * queries.each + index]! : -1;
    }
  }
  return { rows: own.length, each, places };
}
