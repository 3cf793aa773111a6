import type { LogLikelihood } from "../../language/index.js";
import type { TaskDocument } from "../document.js";
import { meanMetric } from "../metrics/meanMetric.js";
import type { Metric } from "../metrics/metric.js";

/**
 * Of texts that differ: whether the span with the least mean loss per token is the right one. Of one text: whether
 * each token of the span was the likeliest.
 */
export function spanAccuracy(name: string): Metric {
  return meanMetric({
    name,
    score: (document, { scores }) =>
      Number(isLanguageModeling(document) ? scores[0]!.greedy : leastLoss(scores) === document.gold),
  });
}

/**
 * The first span with the least mean loss. A span without tokens, of a choice that all others begin with, has no
 * mean: as in nanochat's scan it wins in the first place and nowhere else.
 */
function leastLoss(scores: readonly LogLikelihood[]): number {
  const losses = scores.map(({ logLikelihood, tokenCount }) => -logLikelihood / tokenCount);
  return losses.reduce((best, loss, place) => (loss < losses[best]! ? place : best), 0);
}

function isLanguageModeling({ requests }: TaskDocument): boolean {
  return requests[0]?.kind === "span" && requests[0].form === "language_modeling";
}
