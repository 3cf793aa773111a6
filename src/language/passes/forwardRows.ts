import { setImmediate as nextTurn } from "node:timers/promises";
import type { TokenLogits } from "../languageModel.js";
import { pack } from "./packing.js";
import type { PassLimits } from "./passLimits.js";
import type { TokenCache, TokenReader } from "./tokenReader.js";

/** The logits after every token of rows. */
export async function forwardRows<Cache extends TokenCache>(
  reader: TokenReader<Cache>,
  rows: readonly (readonly number[])[],
  limits: PassLimits,
  signal?: AbortSignal,
): Promise<TokenLogits[]> {
  const size = reader.vocabularySize;
  const results = rows.map(({ length }) => ({
    data: new Float32Array(length * size),
    length,
    vocabularySize: size,
  }));
  const batches = pack(
    [...rows.keys()].filter((row) => rows[row]!.length > 0),
    (row) => rows[row]!.length,
    (count, longest) => count * longest <= limits.tokens,
  );
  for (const batch of batches) {
    await nextTurn();
    signal?.throwIfAborted();
    const places = batch.flatMap((index, row) =>
      Array.from({ length: rows[index]!.length }, (_, token) => ({ row, token })),
    );
    await reader.read(
      batch.map((row) => rows[row]!),
      {
        places,
        visit(index, logits) {
          const { row, token } = places[index]!;
          results[batch[row]!]!.data.set(logits, token * size);
        },
      },
    );
  }
  return results;
}
