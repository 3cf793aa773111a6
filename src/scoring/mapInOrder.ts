/**
 * Maps values with up to `limit` calls at once and yields the results in the order of the values. A slow one holds
 * up the yielding, not the others: `AHEAD` times the limit may be done or under way.
 * @throws what the source or `work` throws, in its place in the order
 */
export async function* mapInOrder<T, R>(
  source: Iterable<T> | AsyncIterable<T>,
  limit: number,
  work: (value: T, index: number) => Promise<R>,
): AsyncGenerator<R> {
  const waiting: (() => void)[] = [];
  let free = Math.max(1, limit);
  const started = async (value: T, index: number): Promise<R> => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work(value, index);
    } finally {
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    }
  };

  const results: Promise<R>[] = [];
  let index = 0;
  const broken: unknown[] = [];
  for await (const value of failingLast(source, (error) => broken.push(error))) {
    const result = started(value, index++);
    // Whoever fails is heard when its turn comes, not as an unhandled rejection before.
    result.catch(() => {});
    results.push(result);
    if (results.length >= (limit > 1 ? limit * AHEAD : 1)) yield await results.shift()!;
  }
  for (const result of results) yield await result;
  if (broken.length > 0) throw broken[0];
}

const AHEAD = 4;

/** A source that ends where it would throw. @param failed hears why */
async function* failingLast<T>(
  source: Iterable<T> | AsyncIterable<T>,
  failed: (error: unknown) => void,
): AsyncGenerator<T> {
  try {
    yield* source;
  } catch (error) {
    failed(error);
  }
}
