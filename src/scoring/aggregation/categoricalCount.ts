import { compareCodePoints } from "../../base/index.js";
import type { Judgement, NamedResults, ScoreAggregation, ScorerMetrics } from "../scorer.js";

/** How often each verdict was given: its category, else its score as text. Rows without a verdict count nowhere. */
export class CategoricalCountAggregation implements ScoreAggregation {
  readonly #counts = new Map<string, number>();

  add({ category, score }: Judgement): void {
    const value = category ?? (score === null ? undefined : String(score));
    if (value !== undefined) this.#counts.set(value, (this.#counts.get(value) ?? 0) + 1);
  }

  metrics(): ScorerMetrics {
    return {};
  }

  details(): Record<string, ScorerMetrics> {
    return { categorical_count: this.#sorted() };
  }

  named(): NamedResults {
    return { categorical_count: { categorical_count: this.#sorted() } };
  }

  #sorted(): Record<string, number> {
    return Object.fromEntries([...this.#counts].sort(([one], [other]) => compareCodePoints(one, other)));
  }
}
