import { z } from "zod";
import { defineScorer } from "./defineScorer.js";
import type { Judgement, ScoreAggregation, Scorer, ScorerMetrics, ScorerRow } from "./scorer.js";

/** What a scorer says of one row, by metric. */
export interface SingleEvalResult {
  readonly score_data: Readonly<Record<string, number>>;
}

/** What a scorer says of all rows, by metric. */
export interface EvalResult {
  readonly metrics: Readonly<Record<string, number>>;
}

/**
 * A scorer as a class: it judges a row, and brings the results of rows together. `scorerOf` makes of it one that
 * streams and can be registered.
 */
export abstract class BaseScorer<Row extends ScorerRow = ScorerRow> {
  /** @throws whatever makes the row one that cannot be judged */
  abstract scoreSample(sample: Row): SingleEvalResult | Promise<SingleEvalResult>;

  /** @param results of the rows that were judged, perhaps none: metrics that do not exist then are left out */
  abstract aggregateResults(results: readonly SingleEvalResult[]): EvalResult;

  async score(samples: readonly Row[]): Promise<SingleEvalResult[]> {
    const results: SingleEvalResult[] = [];
    for (const sample of samples) results.push(await this.scoreSample(sample));
    return results;
  }
}

/**
 * Several scorers as one. Their metrics stand under the name of each one's class and a colon; where a class comes
 * twice, a number tells them apart, so that none covers another.
 */
export class AggregateScorer<Row extends ScorerRow = ScorerRow> extends BaseScorer<Row> {
  readonly #scorers: readonly (readonly [prefix: string, scorer: BaseScorer<Row>])[];

  constructor(scorers: readonly BaseScorer<Row>[]) {
    super();
    const counts = new Map<string, number>();
    this.#scorers = scorers.map((scorer) => {
      const { name } = scorer.constructor;
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      return [`${name}${count === 1 ? "" : `#${count}`}:`, scorer];
    });
  }

  async scoreSample(sample: Row): Promise<SingleEvalResult> {
    const results = await Promise.all(
      this.#scorers.map(async ([prefix, scorer]) =>
        prefixed(prefix, (await scorer.scoreSample(sample)).score_data),
      ),
    );
    return { score_data: Object.fromEntries(results.flat()) };
  }

  aggregateResults(results: readonly SingleEvalResult[]): EvalResult {
    const metrics = this.#scorers.flatMap(([prefix, scorer]) => {
      const own = results.map(({ score_data }) => ({ score_data: withPrefix(prefix, score_data) }));
      return prefixed(prefix, scorer.aggregateResults(own).metrics);
    });
    return { metrics: Object.fromEntries(metrics) };
  }
}

/** What a registered scorer says of itself. */
export interface ScorerCard {
  readonly name: string;
  readonly description: string;
  readonly columns: readonly string[];
}

/** A class of a scorer as one that can be registered. The score of a row is the first of its numbers. */
export function scorerOf(base: BaseScorer, card: ScorerCard): Scorer {
  return defineScorer({
    ...card,
    params: z.strictObject({}),
    async judge(row) {
      const { score_data } = await base.scoreSample(row);
      const [first = null] = Object.values(score_data);
      return { score: first, metadata: { score_data } };
    },
    aggregation: () => new BaseAggregation(base),
  });
}

interface BaseJudgement extends Judgement {
  readonly metadata: { readonly score_data: Readonly<Record<string, number>> };
}

class BaseAggregation implements ScoreAggregation<BaseJudgement> {
  readonly #results: SingleEvalResult[] = [];

  constructor(private readonly base: BaseScorer) {}

  add({ metadata: { score_data } }: BaseJudgement): void {
    this.#results.push({ score_data });
  }

  metrics(): ScorerMetrics {
    return this.base.aggregateResults(this.#results).metrics;
  }
}

function prefixed(prefix: string, values: Readonly<Record<string, number>>): [string, number][] {
  return Object.entries(values).map(([name, value]) => [prefix + name, value]);
}

function withPrefix(prefix: string, values: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), value]] : [],
    ),
  );
}
