import { setImmediate as nextTurn } from "node:timers/promises";
import type { CausalModel, KeyValueCache } from "../../models/index.js";
import type { GenerationRow } from "../generationRow.js";
import { pack } from "./packing.js";
import { canKeep, type PassLimits } from "./passLimits.js";
import { readRows } from "./tokenPass.js";

/** Goes on from all rows, in batches of like length; a row that is finished leaves its batch. */
export async function generateRows(
  model: CausalModel,
  rows: readonly GenerationRow[],
  limits: PassLimits,
  signal?: AbortSignal,
): Promise<void> {
  const batches = pack(
    rows,
    ({ prompt, limit }) => prompt.length + limit,
    (count, longest) => count * longest <= limits.kept,
  );
  for (const batch of batches) {
    const capacity = Math.max(...batch.map(({ prompt, limit }) => prompt.length + limit));
    const keeps = limits.cache && canKeep(model, capacity);
    if (keeps) await generateCached(model, batch, { capacity, limits, signal });
    else await generateAnew(model, batch, signal);
  }
}

async function generateCached(
  model: CausalModel,
  batch: readonly GenerationRow[],
  { capacity, limits, signal }: { capacity: number; limits: PassLimits; signal: AbortSignal | undefined },
): Promise<void> {
  // Equal prompts are read once; long ones in pieces, so that a pass is never larger than allowed.
  const prompts = new Map(batch.map((row) => [row.prompt.join(), row.prompt]));
  const rowOf = new Map([...prompts.keys()].map((key, index) => [key, index]));
  let cache = model.createCache(prompts.size, capacity);
  try {
    const last = await readPrompts(model, [...prompts.values()], { cache, limits, signal });
    let active = batch.map((row) => ({ row, from: rowOf.get(row.prompt.join())! }));
    for (const { row, from } of active) row.accept(last[from]!);
    for (;;) {
      const going = active.filter(({ row }) => !row.finished);
      cache = goOn(
        cache,
        going.map(({ from }) => from),
      );
      active = going.map(({ row }, from) => ({ row, from }));
      if (active.length === 0) return;
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

/** The logits after each prompt. */
async function readPrompts(
  model: CausalModel,
  prompts: readonly (readonly number[])[],
  { cache, limits, signal }: { cache: KeyValueCache; limits: PassLimits; signal: AbortSignal | undefined },
): Promise<Float32Array[]> {
  const last: Float32Array[] = [];
  const longest = Math.max(...prompts.map((prompt) => prompt.length));
  const each = Math.max(1, Math.floor(limits.tokens / prompts.length));
  for (let start = 0; start < longest; start += each) {
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
