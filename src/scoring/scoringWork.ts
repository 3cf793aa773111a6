import { setImmediate } from "node:timers/promises";
import { ERROR_CATALOGUE, messageOf, type RowsInThreads, thrownThere } from "../base/index.js";
import { mapInOrder } from "./mapInOrder.js";
import type { Judgement, RowScore, ScorerRow, Scoring, ScoringSurroundings, ScoringWork } from "./scorer.js";
import { outcomesInOrder } from "./threads/outcomesInOrder.js";

/** What a scoring has of the world. */
interface ScoringMeans extends Pick<ScoringSurroundings, "known" | "threads" | "logger"> {
  /** Threads that judge its rows. Absent: they are judged here. */
  readonly rowsThere?: RowsInThreads | undefined;
}

/** A row's result, and the judgement in it: none where the row could not be judged. */
interface JudgedRow<J> {
  readonly result: RowScore;
  readonly judgement?: J;
}

/**
 * Streams rows through the work: the order is kept, and no row is lost to another.
 * @param means `known`: results from before: such a row is gathered as it stands and not judged again
 */
export function scoringOf<J extends Judgement>(
  source: Iterable<ScorerRow> | AsyncIterable<ScorerRow>,
  work: ScoringWork<J>,
  signal: AbortSignal | undefined,
  { known = () => undefined, threads, logger, rowsThere }: ScoringMeans = {},
): Scoring {
  const { aggregation } = work;
  let judged = 0;

  async function judge(row: ScorerRow, index: number): Promise<JudgedRow<J>> {
    try {
      return resultOf(row, index, await work.judge(row, index, signal));
    } catch (error) {
      signal?.throwIfAborted();
      return failureOf(row, index, error);
    }
  }

  async function* here(): AsyncGenerator<JudgedRow<J>> {
    try {
      await work.start?.(signal);
      yield* mapInOrder(source, work.concurrency ?? 1, async (row, index) => {
        const before = known(index);
        // It came from this very work, perhaps in another process.
        if (before !== undefined) return { result: before, judgement: before as unknown as J };
        return await judge(row, index);
      });
    } finally {
      await work.end?.();
    }
  }

  async function* there(rows: RowsInThreads): AsyncGenerator<JudgedRow<J>> {
    let started = false;
    try {
      for await (const { row, index, outcome } of outcomesInOrder(source, rows, { known, signal })) {
        if ("known" in outcome) yield { result: outcome.known, judgement: outcome.known as unknown as J };
        else if ("error" in outcome) yield failureOf(row, index, thrownThere(outcome.error));
        else if ("value" in outcome) yield resultOf(row, index, outcome.value as J);
        else {
          if (!started) {
            logger?.warn(
              `Rows are judged without a deadline, since no thread can: ${outcome.unmade.message}`,
            );
            await work.start?.(signal);
          }
          started = true;
          yield await judge(row, index);
        }
      }
    } finally {
      if (started) await work.end?.();
    }
  }

  async function* results(): AsyncGenerator<RowScore> {
    const breathe = breathing();
    for await (const { result, judgement } of rowsThere === undefined ? here() : there(rowsThere)) {
      signal?.throwIfAborted();
      if (judgement !== undefined) {
        judged++;
        aggregation.add(judgement);
      }
      yield result;
      await breathe();
    }
    if (threads !== undefined) await aggregation.settle?.(threads, signal);
  }

  const whereJudged = <V>(found: () => V | undefined): V | null => (judged === 0 ? null : (found() ?? null));
  return {
    rows: results(),
    metrics: () => whereJudged(() => aggregation.metrics()),
    details: () => whereJudged(() => filled(aggregation.details?.())),
    aggregated: () => aggregation.named?.() ?? null,
  };
}

function resultOf<J extends Judgement>(row: ScorerRow, index: number, judgement: J): JudgedRow<J> {
  return { result: { index, ...keyOf(row), ...judgement }, judgement };
}

function failureOf(row: ScorerRow, index: number, error: unknown): JudgedRow<never> {
  const { code } = error as { code?: unknown };
  const known = typeof code === "string" && Object.hasOwn(ERROR_CATALOGUE, code);
  return {
    result: {
      ...{ index, ...keyOf(row), score: null, error: messageOf(error) },
      ...(known && { error_code: code }),
    },
  };
}

function filled<V extends object>(found: V | undefined): V | undefined {
  return found !== undefined && Object.keys(found).length > 0 ? found : undefined;
}

/** Lets timers and signals in now and then, however little a scorer waits by itself. */
function breathing(): () => Promise<void> {
  let last = performance.now();
  return async () => {
    if (performance.now() - last < LONGEST_HOLD) return;
    await setImmediate();
    last = performance.now();
  };
}

/** Milliseconds. */
const LONGEST_HOLD = 50;

function keyOf({ key }: ScorerRow): { key?: string | number } {
  if (typeof key === "string" || typeof key === "number") return { key };
  return typeof key === "bigint" ? { key: String(key) } : {};
}
