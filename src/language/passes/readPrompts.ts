import { setImmediate as nextTurn } from "node:timers/promises";
import type { GenerationRow } from "../generationRow.js";
import { pack } from "./packing.js";
import { LEAST_SHARED, type PassLimits } from "./passLimits.js";
import type { TokenCache, TokenReader } from "./tokenReader.js";
import { sharedLength } from "./tokenTree.js";

/** What all prompts begin with, read once. */
export interface Beginning<Cache> {
  /** One row. */
  readonly cache: Cache;
  readonly length: number;
}

/** How prompts are read. */
export interface PromptReading {
  /** The most tokens of a row, those of its answer included. */
  readonly capacity: number;
  readonly limits: PassLimits;
  readonly signal: AbortSignal | undefined;
}

type Prompt = readonly number[];

/** Reads what all prompts begin with, if it is long enough to be read by itself; each has more. */
export async function readBeginning<Cache extends TokenCache>(
  reader: TokenReader<Cache>,
  prompts: readonly Prompt[],
  reading: PromptReading,
): Promise<Beginning<Cache> | undefined> {
  const length = prompts.reduce(
    (least, prompt) => Math.min(least, prompt.length - 1, sharedLength(prompts[0]!, prompt)),
    Number.POSITIVE_INFINITY,
  );
  if (prompts.length < 2 || length < LEAST_SHARED) return undefined;
  const cache = reader.createCache(1, reading.capacity);
  try {
    await readPieces(reader, [prompts[0]!.slice(0, length)], { ...reading, cache, from: 0 });
    return { cache, length };
  } catch (error) {
    cache.dispose();
    throw error;
  }
}

/**
 * Reads the prompts of rows, equal ones once, and gives every row its first logits.
 * @returns a cache with a row for each
 */
export async function readPrompts<Cache extends TokenCache>(
  reader: TokenReader<Cache>,
  rows: readonly GenerationRow[],
  { beginning, ...reading }: PromptReading & { beginning: Beginning<Cache> | undefined },
): Promise<Cache> {
  const distinct = new Map(rows.map(({ prompt }) => [prompt.join(), prompt]));
  const from = beginning?.length ?? 0;
  const batches = pack(
    [...distinct],
    ([, { length }]) => length,
    (count, longest) => count * (longest - from) <= reading.limits.tokens,
  );
  const last = new Map<string, Float32Array>();
  const caches: Cache[] = [];
  try {
    for (const batch of batches) {
      const cache =
        beginning?.cache.select(batch.map(() => 0)) ?? reader.createCache(batch.length, reading.capacity);
      caches.push(cache);
      const prompts = batch.map(([, prompt]) => prompt);
      const logits = await readPieces(reader, prompts, { ...reading, cache, from });
      batch.forEach(([key], index) => void last.set(key, logits[index]!));
    }
    const places = new Map(batches.flat().map(([key], index) => [key, index]));
    for (const row of rows) row.accept(last.get(row.prompt.join())!);
    return inOrder(
      caches,
      rows.map(({ prompt }) => places.get(prompt.join())!),
    );
  } finally {
    for (const cache of caches) cache.dispose();
  }
}

/** The rows of all caches, one behind the other, in another order. */
function inOrder<Cache extends TokenCache>(
  [first, ...others]: readonly Cache[],
  places: readonly number[],
): Cache {
  if (others.length === 0) return first!.select(places);
  const all = first!.join(...others);
  try {
    return all.select(places);
  } finally {
    all.dispose();
  }
}

/** The logits after each prompt; one that is too long for a pass is read in pieces. */
async function readPieces<Cache extends TokenCache>(
  reader: TokenReader<Cache>,
  prompts: readonly Prompt[],
  { cache, from, limits, signal }: PromptReading & { cache: Cache; from: number },
): Promise<Float32Array[]> {
  const last: Float32Array[] = [];
  const longest = Math.max(...prompts.map((prompt) => prompt.length));
  const each = Math.max(1, Math.floor(limits.tokens / prompts.length));
  for (let start = from; start < longest; start += each) {
    await nextTurn();
    signal?.throwIfAborted();
    const pieces = prompts.map((prompt) => prompt.slice(start, start + each));
    const ending = [...pieces.keys()].filter((row) => {
      const { length } = prompts[row]!;
      return length > start && length <= start + each;
    });
    await reader.read(pieces, {
      cache,
      places: ending.map((row) => ({ row, token: pieces[row]!.length - 1 })),
      visit: (index, logits) => {
        last[ending[index]!] = logits.slice();
      },
    });
  }
  return last;
}
