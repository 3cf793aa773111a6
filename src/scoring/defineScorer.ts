import { setImmediate } from "node:timers/promises";
import type { ZodType, z } from "zod";
import { messageOf, parseOptions } from "../base/index.js";
import { mapInOrder } from "./mapInOrder.js";
import type { Judgement, RowScore, ScoreAggregation, Scorer, ScorerRow, Scoring } from "./scorer.js";

/** What makes a scorer of a function that judges one row. */
export interface ScorerDefinition<S extends ZodType, J extends Judgement> {
  readonly name: string;
  readonly description: string;
  readonly columns: readonly string[];
  readonly params: S;
  /** Rows judged at once, for scorers that wait for others. Default 1. */
  readonly concurrency?: (params: z.output<S>) => number;
  /** @throws whatever makes the row one that cannot be judged; the message is recorded */
  judge(row: ScorerRow, params: z.output<S>, signal: AbortSignal | undefined): J | Promise<J>;
  /** A fresh gatherer for one scoring. */
  aggregation(params: z.output<S>): ScoreAggregation<J>;
}

/** Makes a scorer that streams, keeps the order and loses no row to another. */
export function defineScorer<S extends ZodType, J extends Judgement>(
  definition: ScorerDefinition<S, J>,
): Scorer {
  const { name, description, columns } = definition;
  return {
    name,
    description,
    columns,
    score(rows, given = {}, signal) {
      const params = parseOptions(definition.params, given, `params of the scorer ${name}`);
      return scoringOf(rows, definition, params, signal);
    },
  };
}

function scoringOf<S extends ZodType, J extends Judgement>(
  source: Iterable<ScorerRow> | AsyncIterable<ScorerRow>,
  definition: ScorerDefinition<S, J>,
  params: z.output<S>,
  signal: AbortSignal | undefined,
): Scoring {
  const aggregation = definition.aggregation(params);
  let judged = 0;

  async function judge(row: ScorerRow, index: number): Promise<{ result: RowScore; judgement?: J }> {
    const place = { index, ...keyOf(row) };
    try {
      const judgement = await definition.judge(row, params, signal);
      return { result: { ...place, ...judgement }, judgement };
    } catch (error) {
      signal?.throwIfAborted();
      return { result: { ...place, score: null, error: messageOf(error) } };
    }
  }

  async function* results(): AsyncGenerator<RowScore> {
    const breathe = breathing();
    const limit = definition.concurrency?.(params) ?? 1;
    for await (const { result, judgement } of mapInOrder(source, limit, judge)) {
      signal?.throwIfAborted();
      if (judgement !== undefined) {
        judged++;
        aggregation.add(judgement);
      }
      yield result;
      await breathe();
    }
  }

  return {
    rows: results(),
    metrics: () => (judged === 0 ? null : aggregation.metrics()),
    details: () => (judged === 0 ? null : (aggregation.details?.() ?? null)),
  };
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
