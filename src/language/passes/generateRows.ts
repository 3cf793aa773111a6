import { setImmediate as nextTurn } from "node:timers/promises";
import type { GenerationRow } from "../generationRow.js";
import { pack } from "./packing.js";
import { canKeep, type PassLimits } from "./passLimits.js";
import { type Beginning, readBeginning, readPrompts } from "./readPrompts.js";
import type { TokenCache, TokenReader } from "./tokenReader.js";

/** Rows are added when so large a share of what has room is free: a smaller one is not worth a pass of its own. */
const REFILL_SHARE = 1 / 4;

/** Goes on from all rows, many at a time; a row that is finished makes room for one that waits. */
export async function generateRows<Cache extends TokenCache>(
  reader: TokenReader<Cache>,
  rows: readonly GenerationRow[],
  limits: PassLimits,
  signal?: AbortSignal,
): Promise<void> {
  if (rows.length === 0) return;
  const capacity = rows.reduce((most, row) => Math.max(most, lengthOf(row)), 1);
  if (limits.cache && canKeep(reader, capacity)) {
    await generateCached(reader, rows, { capacity, limits, signal });
    return;
  }
  for (const batch of pack(rows, lengthOf, (count, longest) => count * longest <= limits.tokens)) {
    await generateAnew(reader, batch, signal);
  }
}

/** The most tokens of a row that are read. */
function lengthOf({ prompt, limit }: GenerationRow): number {
  return prompt.length + limit;
}

async function generateCached<Cache extends TokenCache>(
  reader: TokenReader<Cache>,
  rows: readonly GenerationRow[],
  reading: { capacity: number; limits: PassLimits; signal: AbortSignal | undefined },
): Promise<void> {
  const { limits, signal } = reading;
  const waiting = [...rows].sort((one, other) => lengthOf(other) - lengthOf(one));
  const active: GenerationRow[] = [];
  let beginning: Beginning<Cache> | undefined;
  let cache: Cache | undefined;
  try {
    beginning = await readBeginning(
      reader,
      rows.map(({ prompt }) => prompt),
      reading,
    );
    for (;;) {
      const fresh = waiting.splice(0, countAdmitted(active, waiting, limits.kept));
      if (fresh.length > 0) {
        const read = await readPrompts(reader, fresh, { ...reading, beginning });
        cache = joined(cache, read);
        active.push(...fresh);
      }
      cache = withoutFinished(cache, active);
      if (active.length === 0 && waiting.length === 0) return;
      if (active.length === 0) continue;
      await nextTurn();
      signal?.throwIfAborted();
      await reader.read(
        active.map(({ last }) => [last]),
        {
          cache,
          places: active.map((_, row) => ({ row, token: 0 })),
          visit: (index, logits) => active[index]!.accept(logits),
        },
      );
      cache = withoutFinished(cache, active);
    }
  } finally {
    cache?.dispose();
    beginning?.cache.dispose();
  }
}

/** How many of those that wait, longest first, have room beside the others. */
function countAdmitted(
  active: readonly GenerationRow[],
  waiting: readonly GenerationRow[],
  kept: number,
): number {
  if (waiting.length === 0) return 0;
  const longest = [...active, waiting[0]!].reduce((most, row) => Math.max(most, lengthOf(row)), 1);
  const room = Math.max(1, Math.floor(kept / longest));
  const free = room - active.length;
  return active.length === 0 || free >= Math.min(waiting.length, room * REFILL_SHARE) ? Math.max(0, free) : 0;
}

/** Both caches as one; they are given up. */
function joined<Cache extends TokenCache>(one: Cache | undefined, other: Cache): Cache {
  if (one === undefined) return other;
  try {
    return one.join(other);
  } finally {
    one.dispose();
    other.dispose();
  }
}

/** Takes the rows that are finished out of `active`, and out of the cache, which is given up where they are some. */
function withoutFinished<Cache extends TokenCache>(
  cache: Cache | undefined,
  active: GenerationRow[],
): Cache | undefined {
  const going = [...active.keys()].filter((row) => !active[row]!.finished);
  if (going.length === active.length) return cache;
  active.splice(0, active.length, ...going.map((row) => active[row]!));
  const rest = going.length === 0 ? undefined : cache?.select(going);
  cache?.dispose();
  return rest;
}

/** Reads everything again for every token. */
async function generateAnew<Cache extends TokenCache>(
  reader: TokenReader<Cache>,
  batch: readonly GenerationRow[],
  signal: AbortSignal | undefined,
): Promise<void> {
  for (;;) {
    const active = batch.filter((row) => !row.finished);
    if (active.length === 0) return;
    await nextTurn();
    signal?.throwIfAborted();
    await reader.read(
      active.map(({ tokens }) => tokens),
      {
        places: active.map(({ tokens }, row) => ({ row, token: tokens.length - 1 })),
        visit: (index, logits) => active[index]!.accept(logits),
      },
    );
  }
}
