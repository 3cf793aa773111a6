import { setImmediate as nextTurn } from "node:timers/promises";
import type { GenerationRow } from "../generationRow.js";
import { pack } from "./packing.js";
import { canKeep, LEAST_SHARED, type PassLimits } from "./passLimits.js";
import type { TokenCache, TokenReader } from "./tokenReader.js";
import { sharedLength } from "./tokenTree.js";

/** Goes on from all rows, in batches of like length; a row that is finished leaves its batch. */
export async function generateRows<Cache extends TokenCache>(
  reader: TokenReader<Cache>,
  rows: readonly GenerationRow[],
  limits: PassLimits,
  signal?: AbortSignal,
): Promise<void> {
  const lengthOf = ({ prompt, limit }: GenerationRow) => prompt.length + limit;
  const capacity = rows.reduce((most, row) => Math.max(most, lengthOf(row)), 1);
  const keeps = limits.cache && canKeep(reader, capacity);
  const most = keeps ? limits.kept : limits.tokens;
  for (const batch of pack(rows, lengthOf, (count, longest) => count * longest <= most)) {
    if (keeps) await generateCached(reader, batch, { capacity, limits, signal });
    else await generateAnew(reader, batch, signal);
  }
}

async function generateCached<Cache extends TokenCache>(
  reader: TokenReader<Cache>,
  batch: readonly GenerationRow[],
  { capacity, limits, signal }: { capacity: number; limits: PassLimits; signal: AbortSignal | undefined },
): Promise<void> {
  // Equal prompts are read once.
  const prompts = new Map(batch.map((row) => [row.prompt.join(), row.prompt]));
  const rowOf = new Map([...prompts.keys()].map((key, index) => [key, index]));
  let cache = reader.createCache(1, capacity);
  try {
    const read = [...prompts.values()];
    const shared = sharedBeginning(read);
    const beginning = [read[0]!.slice(0, shared)];
    await readPrompts(reader, beginning, { cache, from: 0, limits, signal });
    cache = goOn(
      cache,
      read.map(() => 0),
    );
    const last = await readPrompts(reader, read, { cache, from: shared, limits, signal });
    let active = batch.map((row) => ({ row, from: rowOf.get(row.prompt.join())! }));
    for (const { row, from } of active) row.accept(last[from]!);
    for (;;) {
      const going = active.filter(({ row }) => !row.finished);
      if (going.length === 0) return;
      cache = goOn(
        cache,
        going.map(({ from }) => from),
      );
      active = going.map(({ row }, from) => ({ row, from }));
      await nextTurn();
      signal?.throwIfAborted();
      await reader.read(
        active.map(({ row }) => [row.last]),
        {
          cache,
          places: active.map((_, row) => ({ row, token: 0 })),
          visit: (index, logits) => active[index]!.row.accept(logits),
        },
      );
    }
  } finally {
    cache.dispose();
  }
}

/** What all prompts begin with, if it is long enough to be read by itself; each has more. */
function sharedBeginning(prompts: readonly (readonly number[])[]): number {
  const shared = prompts.reduce(
    (least, prompt) => Math.min(least, prompt.length - 1, sharedLength(prompts[0]!, prompt)),
    Number.POSITIVE_INFINITY,
  );
  return prompts.length > 1 && shared >= LEAST_SHARED ? shared : 0;
}

/** The logits after each prompt, which is read in pieces, so that no pass is larger than allowed. */
async function readPrompts<Cache extends TokenCache>(
  reader: TokenReader<Cache>,
  prompts: readonly (readonly number[])[],
  {
    cache,
    from,
    limits,
    signal,
  }: { cache: Cache; from: number; limits: PassLimits; signal: AbortSignal | undefined },
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

/** The cache with these rows of it, which is given up where they are others. */
function goOn<Cache extends TokenCache>(cache: Cache, rows: readonly number[]): Cache {
  if (rows.length === cache.batch && rows.every((from, row) => from === row)) return cache;
  const next = cache.select(rows);
  cache.dispose();
  return next;
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
