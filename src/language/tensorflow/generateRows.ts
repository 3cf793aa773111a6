import { setImmediate as nextTurn } from "node:timers/promises";
import type { CausalModel, KeyValueCache } from "../../models/index.js";
import type { GenerationRow } from "../generationRow.js";
import { pack } from "./packing.js";
import { canKeep, LEAST_SHARED, type PassLimits } from "./passLimits.js";
import { readRows } from "./tokenPass.js";
import { sharedLength } from "./tokenTree.js";

/** Goes on from all rows, in batches of like length; a row that is finished leaves its batch. */
export async function generateRows(
  model: CausalModel,
  rows: readonly GenerationRow[],
  limits: PassLimits,
  signal?: AbortSignal,
): Promise<void> {
  const lengthOf = ({ prompt, limit }: GenerationRow) => prompt.length + limit;
  const capacity = rows.reduce((most, row) => Math.max(most, lengthOf(row)), 1);
  const keeps = limits.cache && canKeep(model, capacity);
  const most = keeps ? limits.kept : limits.tokens;
  for (const batch of pack(rows, lengthOf, (count, longest) => count * longest <= most)) {
    if (keeps) await generateCached(model, batch, { capacity, limits, signal });
    else await generateAnew(model, batch, signal);
  }
}

async function generateCached(
  model: CausalModel,
  batch: readonly GenerationRow[],
  { capacity, limits, signal }: { capacity: number; limits: PassLimits; signal: AbortSignal | undefined },
): Promise<void> {
  // Equal prompts are read once.
  const prompts = new Map(batch.map((row) => [row.prompt.join(), row.prompt]));
  const rowOf = new Map([...prompts.keys()].map((key, index) => [key, index]));
  let cache = model.createCache(1, capacity);
  try {
    const read = [...prompts.values()];
    const shared = sharedBeginning(read);
    const beginning = [read[0]!.slice(0, shared)];
    await readPrompts(model, beginning, { cache, from: 0, limits, signal });
    cache = goOn(
      cache,
      read.map(() => 0),
    );
    const last = await readPrompts(model, read, { cache, from: shared, limits, signal });
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
      readRows(
        model,
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
async function readPrompts(
  model: CausalModel,
  prompts: readonly (readonly number[])[],
  {
    cache,
    from,
    limits,
    signal,
  }: { cache: KeyValueCache; from: number; limits: PassLimits; signal: AbortSignal | undefined },
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
    readRows(model, pieces, {
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
function goOn(cache: KeyValueCache, rows: readonly number[]): KeyValueCache {
  if (rows.length === cache.batch && rows.every((from, row) => from === row)) return cache;
  const next = cache.select(rows);
  cache.dispose();
  return next;
}

/** Reads everything again for every token. */
async function generateAnew(
  model: CausalModel,
  batch: readonly GenerationRow[],
  signal: AbortSignal | undefined,
): Promise<void> {
  for (;;) {
    const active = batch.filter((row) => !row.finished);
    if (active.length === 0) return;
    await nextTurn();
    signal?.throwIfAborted();
    readRows(
      model,
      active.map(({ tokens }) => tokens),
      {
        places: active.map(({ tokens }, row) => ({ row, token: tokens.length - 1 })),
        visit: (index, logits) => active[index]!.accept(logits),
      },
    );
  }
}
