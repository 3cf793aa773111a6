import { setImmediate } from "node:timers/promises";
import { messageOf } from "../base/index.js";
import { mapInOrder } from "./mapInOrder.js";
import type {
  Judgement,
  RowScore,
  ScoreAggregation,
  ScorerRow,
  Scoring,
  ScoringSurroundings,
} from "./scorer.js";

/** The work of one scoring, its params settled. */
export interface ScoringWork<J extends Judgement = Judgement> {
  /** Rows judged at once. Default 1. */
  readonly concurrency?: number;
  /** Before the first row. @throws what ends the scoring */
  start?(signal: AbortSignal | undefined): Promise<void>;
  /** @throws whatever makes the row one that cannot be judged; the message is recorded */
  judge(row: ScorerRow, index: number, signal: AbortSignal | undefined): J | Promise<J>;
  readonly aggregation: ScoreAggregation<J>;
  /** When the rows have ended, or are read no further. */
  end?(): Promise<void>;
}

/**
 * Streams rows through the work: the order is kept, and no row is lost to another.
 * @param known results from before: such a row is gathered as it stands and not judged again
 */
export function scoringOf<J extends Judgement>(
  source: Iterable<ScorerRow> | AsyncIterable<ScorerRow>,
  work: ScoringWork<J>,
  signal: AbortSignal | undefined,
  known: ScoringSurroundings["known"] = () => undefined,
): Scoring {
  const { aggregation } = work;
  let judged = 0;

  async function judge(row: ScorerRow, index: number): Promise<{ result: RowScore; judgement?: J }> {
    const before = known(index);
    // It came from this very work, perhaps in another process.
    if (before !== undefined) return { result: before, judgement: before as unknown as J };
    const place = { index, ...keyOf(row) };
    try {
      const judgement = await work.judge(row, index, signal);
      return { result: { ...place, ...judgement }, judgement };
    } catch (error) {
      signal?.throwIfAborted();
      return { result: { ...place, score: null, error: messageOf(error) } };
    }
  }

  async function* results(): AsyncGenerator<RowScore> {
    const breathe = breathing();
    try {
      await work.start?.(signal);
      for await (const { result, judgement } of mapInOrder(source, work.concurrency ?? 1, judge)) {
        signal?.throwIfAborted();
        if (judgement !== undefined) {
          judged++;
          aggregation.add(judgement);
        }
        yield result;
        await breathe();
      }
    } finally {
      await work.end?.();
    }
  }

  const whereJudged = <V>(found: () => V | undefined): V | null => (judged === 0 ? null : (found() ?? null));
  return {
    rows: results(),
    metrics: () => whereJudged(() => aggregation.metrics()),
    details: () => whereJudged(() => filled(aggregation.details?.())),
    aggregated: () => whereJudged(() => aggregation.named?.()),
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
