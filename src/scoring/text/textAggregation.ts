import { MeanAggregation } from "../aggregation/mean.js";
import { type AggregationParams, NamedAggregations } from "../aggregation/namedAggregations.js";
import type { Judgement, NamedResults, ScoreAggregation, ScorerMetrics } from "../scorer.js";
import type { ScoringThreads } from "../threads/scoringThreads.js";

/** The mean of a measure under the measure's own name, unless aggregation functions are asked for. */
export class TextAggregation<J extends Judgement = Judgement> implements ScoreAggregation<J> {
  readonly #own: MeanAggregation | undefined;
  readonly #asked: NamedAggregations;

  constructor(name: string, params: AggregationParams) {
    const { aggregation_functions: asked, bootstrap, bootstrap_seed: seed } = params;
    this.#asked = new NamedAggregations(params, ["average"]);
    if (asked === undefined || asked.length === 0) this.#own = new MeanAggregation(name, { bootstrap, seed });
  }

  add(judgement: J): void {
    this.#own?.add(judgement);
    this.#asked.add(judgement);
  }

  metrics(): ScorerMetrics {
    return (this.#own ?? this.#asked).metrics();
  }

  details(): Readonly<Record<string, ScorerMetrics>> {
    return this.#asked.details();
  }

  named(): NamedResults {
    return this.#asked.named();
  }

  async settle(threads: ScoringThreads, signal: AbortSignal | undefined): Promise<void> {
    await this.#own?.settle(threads, signal);
    await this.#asked.settle(threads, signal);
  }
}
