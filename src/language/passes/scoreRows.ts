import { setImmediate as nextTurn } from "node:timers/promises";
import { readLogits } from "../nextToken.js";
import type { TokenScores } from "../tokenLanguageModel.js";
import type { TokenRow } from "../tokenRows.js";
import { pack } from "./packing.js";
import { canKeep, LEAST_SHARED, type PassLimits } from "./passLimits.js";
import type { TokenCache, TokenReader } from "./tokenReader.js";
import { type Reader, type TokenNode, tokenForest } from "./tokenTree.js";

/**
 * Scores rows: what several begin with is read once and gone on from through a cache, the rest is packed by
 * tokens, longest first.
 */
export async function scoreRows<Cache extends TokenCache>(
  reader: TokenReader<Cache>,
  rows: readonly TokenRow[],
  limits: PassLimits,
  signal?: AbortSignal,
): Promise<TokenScores[]> {
  const capacity = rows.reduce(
    (most, { context, continuation }) => Math.max(most, context.length + continuation.length),
    1,
  );
  const shares = limits.cache && canKeep(reader, capacity);
  const values = rows.map(({ continuation }) => new Array<number>(continuation.length).fill(0));
  const greedy = rows.map(() => true);
  const note = ({ row, place, token }: Reader, logits: ReturnType<typeof readLogits>) => {
    values[row]![place] = logits.logProbability(token);
    if (logits.best !== token) greedy[row] = false;
  };

  const read = async (nodes: readonly TokenNode[], parents?: Parents<Cache>): Promise<void> => {
    // Nodes that nothing follows need no cache of their own.
    const [open, ends] = parents ? [nodes, []] : partition(nodes, ({ children }) => children.length > 0);
    for (const some of [open, ends]) {
      const keeps = some === open;
      const before = some.reduce((most, { depth }) => Math.max(most, depth), 0);
      for (const batch of pack(
        some,
        ({ tokens }) => tokens.length,
        (count, longest) =>
          count * longest <= limits.tokens && (!keeps || count * (before + longest) <= limits.kept),
      )) {
        await nextTurn();
        signal?.throwIfAborted();
        await readBatch(batch, keeps ? cacheFor(batch, parents) : undefined);
      }
    }
  };
  const cacheFor = (batch: readonly TokenNode[], parents: Parents<Cache> | undefined): Cache =>
    parents?.cache.select(batch.map((node) => parents.rowOf.get(node)!)) ??
    reader.createCache(batch.length, capacity);
  const readBatch = async (batch: readonly TokenNode[], cache: Cache | undefined): Promise<void> => {
    try {
      const wanted = batch.flatMap(({ readers }, row) =>
        [...readers].map(([token, who]) => ({ row, token, who })),
      );
      await reader.read(
        batch.map(({ tokens }) => tokens),
        {
          cache,
          places: wanted,
          visit(index, logits) {
            const next = readLogits(logits);
            for (const reader of wanted[index]!.who) note(reader, next);
          },
        },
      );
      if (!cache) return;
      const rowOf = new Map(batch.flatMap(({ children }, row) => children.map((child) => [child, row])));
      await read([...rowOf.keys()], { cache, rowOf });
    } finally {
      cache?.dispose();
    }
  };

  await read(tokenForest(rows, shares ? LEAST_SHARED : Number.POSITIVE_INFINITY));
  return rows.map((_, row) => ({ logLikelihoods: values[row]!, greedy: greedy[row]! }));
}

/** Where nodes go on from. */
interface Parents<Cache> {
  readonly cache: Cache;
  readonly rowOf: ReadonlyMap<TokenNode, number>;
}

function partition<T>(items: readonly T[], belongs: (item: T) => boolean): [T[], T[]] {
  return [items.filter(belongs), items.filter((item) => !belongs(item))];
}
