import type { RowMeasure } from "./rowMeasure.js";

/** One part of several into which rows are dealt. */
export interface Shard {
  /** From 0. */
  readonly index: number;
  readonly of: number;
}

/** Rows that are handed to the model together. */
export interface Batch {
  /** Place of the batch among all. */
  readonly place: number;
  readonly rows: readonly number[];
}

/** What was measured of a batch. */
export interface MeasuredBatch {
  readonly place: number;
  readonly measures: readonly RowMeasure[];
}

/**
 * Deals rows to a shard, batch by batch. Batches are the same for any number of shards, so that what a model says
 * of a row cannot depend on how many there are, not even in the last bit.
 */
export function batchesOf(rows: readonly number[], size: number, shard: Shard): Batch[] {
  const count = Math.ceil(rows.length / size);
  return Array.from({ length: count }, (_, place) => place)
    .filter((place) => place % shard.of === shard.index)
    .map((place) => ({ place, rows: rows.slice(place * size, (place + 1) * size) }));
}

/** The measures of all shards in the order of the rows. @throws RangeError where a batch is missing or there twice */
export function mergeShards(shards: readonly (readonly MeasuredBatch[])[]): RowMeasure[] {
  const batches = shards.flat().sort((one, other) => one.place - other.place);
  const stray = batches.findIndex(({ place }, index) => place !== index);
  if (stray >= 0) throw new RangeError(`the shards do not fit together at batch ${stray}`);
  return batches.flatMap(({ measures }) => measures);
}
