import { z } from "zod";
import type { Judgement, NamedResults, ScoreAggregation, ScorerMetrics } from "../scorer.js";
import type { ScoringThreads } from "../threads/scoringThreads.js";
import { aggregations } from "./aggregations.js";

/** Params that say how the scores of a scorer are gathered. */
export const aggregationParams = {
  /** Which figures; `elenchus list aggregations` shows them. Default: the scorer's own. */
  aggregation_functions: z
    .array(
      z.string().refine((name) => aggregations.has(name), "expected names of `elenchus list aggregations`"),
    )
    .optional(),
  /** Resamples of the bootstrap that gives 95 % intervals. Default 0: none. */
  bootstrap: z.int().min(0).max(100_000).default(0),
  /** Of the bootstrap's draws. */
  bootstrap_seed: z.int().default(0),
};

/** What `aggregationParams` parse to. */
export interface AggregationParams {
  readonly aggregation_functions?: readonly string[] | undefined;
  readonly bootstrap: number;
  readonly bootstrap_seed: number;
}

/** Several aggregation functions as one. */
export class NamedAggregations<J extends Judgement = Judgement> implements ScoreAggregation<J> {
  readonly #functions: ReadonlyMap<string, ScoreAggregation>;

  /** @param usual functions of a scorer whose params name none */
  constructor(
    { aggregation_functions: asked, bootstrap, bootstrap_seed: seed }: AggregationParams,
    usual: readonly string[],
  ) {
    const names = asked === undefined || asked.length === 0 ? usual : asked;
    this.#functions = new Map(names.map((name) => [name, aggregations.lookup(name)({ bootstrap, seed })]));
  }

  add(judgement: J): void {
    for (const aggregation of this.#functions.values()) aggregation.add(judgement);
  }

  metrics(): ScorerMetrics {
    return Object.assign({}, ...[...this.#functions.values()].map((aggregation) => aggregation.metrics()));
  }

  details(): Readonly<Record<string, ScorerMetrics>> {
    return Object.assign({}, ...[...this.#functions.values()].map((aggregation) => aggregation.details?.()));
  }

  named(): NamedResults {
    return Object.fromEntries(
      [...this.#functions].map(([name, aggregation]) => [
        name,
        aggregation.named?.()[name] ?? aggregation.metrics(),
      ]),
    );
  }

  async settle(threads: ScoringThreads, signal: AbortSignal | undefined): Promise<void> {
    for (const aggregation of this.#functions.values()) await aggregation.settle?.(threads, signal);
  }
}
