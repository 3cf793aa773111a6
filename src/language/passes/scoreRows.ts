import { setImmediate as nextTurn } from "node:timers/promises";
import type { TokenScores } from "../tokenLanguageModel.js";
import type { TokenRow } from "../tokenRows.js";
import { pack } from "./packing.js";
import { canKeep, LEAST_SHARED, type PassLimits } from "./passLimits.js";
import { type TokenPiece, tokenPieces } from "./tokenPieces.js";
import type { TokenCache, TokenReader } from "./tokenReader.js";
import { type Reader, tokenForest } from "./tokenTree.js";

/** Scores rows: what several begin with is read once, and all is packed by tokens, longest first. */
export async function scoreRows<Cache extends TokenCache>(
  reader: TokenReader<Cache>,
  rows: readonly TokenRow[],
  limits: PassLimits,
  signal?: AbortSignal,
  onRow?: (row: number) => void,
): Promise<TokenScores[]> {
  const capacity = rows.reduce(
    (most, { context, continuation }) => Math.max(most, context.length + continuation.length),
    1,
  );
  const shares = limits.cache && canKeep(reader, capacity);
  const values = rows.map(({ continuation }) => new Array<number>(continuation.length).fill(0));
  const greedy = rows.map(() => true);
  const left = rows.map(({ continuation }) => continuation.length);
  const note = ({ row, place, token }: Reader, logProbability: number, best: number) => {
    values[row]![place] = logProbability;
    if (best !== token) greedy[row] = false;
    left[row]! -= 1;
    if (left[row] === 0) onRow?.(row);
  };

  const read = async (pieces: readonly TokenPiece[], parents?: Parents<Cache>): Promise<void> => {
    for (const some of kindsOf(pieces)) {
      const keeps = parents !== undefined || some.some(({ children }) => children.length > 0);
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
  const cacheFor = (batch: readonly TokenPiece[], parents: Parents<Cache> | undefined): Cache =>
    parents?.cache.select(batch.map((piece) => parents.rowOf.get(piece)!)) ??
    reader.createCache(batch.length, capacity);
  const readBatch = async (batch: readonly TokenPiece[], cache: Cache | undefined): Promise<void> => {
    try {
      const wanted = batch.flatMap(({ readers }, row) =>
        [...readers].map(([token, who]) => ({ row, token, who, tokens: who.map((one) => one.token) })),
      );
      await reader.score(
        batch.map(({ tokens }) => tokens),
        {
          cache,
          parents: batch.some(({ parents }) => parents) ? batch.map(({ parents }) => parents) : undefined,
          places: wanted,
          visit(index, { best, logProbabilities }) {
            wanted[index]!.who.forEach((one, at) => void note(one, logProbabilities[at]!, best));
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

  const { branches } = reader;
  const least = shares ? (branches ? 1 : LEAST_SHARED) : Number.POSITIVE_INFINITY;
  await read(tokenPieces(tokenForest(rows, least), { branches }));
  return rows.map((_, row) => ({ logLikelihoods: values[row]!, greedy: greedy[row]! }));
}

/** Where pieces go on from. */
interface Parents<Cache> {
  readonly cache: Cache;
  readonly rowOf: ReadonlyMap<TokenPiece, number>;
}

/** Those that others go on from, those that branch, and those that do neither: each kind takes other work. */
function kindsOf(pieces: readonly TokenPiece[]): TokenPiece[][] {
  const [kept, ends] = partition(pieces, ({ children }) => children.length > 0);
  return [kept, ...partition(ends, ({ parents }) => parents !== undefined)];
}

function partition<T>(items: readonly T[], belongs: (item: T) => boolean): [T[], T[]] {
  return [items.filter(belongs), items.filter((item) => !belongs(item))];
}
