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
  const results: TokenLogits[] = rows.map(() => ({
    data: new Float32Array(0),
    length: 0,
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
    const logits = await reader.forward(batch.map((row) => rows[row]!));
    const each = logits.length / batch.length;
    batch.forEach((row, place) => {
      const { length } = rows[row]!;
      const data = logits.subarray(place * each, place * each + length * size);
      results[row] = { data, length, vocabularySize: size };
    });
  }
  return results;
}
