import { pythonLength } from "../../base/index.js";
import type { Gold, TaskDocument } from "../document.js";
import { meanMetric } from "./meanMetric.js";
import type { Metric, TaskAnswers } from "./metric.js";

/** How a choice's log-likelihood is made comparable with those of longer ones. */
export type LengthNorm = "none" | "characters" | "bytes" | "tokens";

/**
 * Whether the likeliest choice is a right one. Of equals the first counts; a score that is no number never wins.
 * Lengths are those of `document.choices`: code points, UTF-8 bytes, or the tokens scored.
 */
export function choiceAccuracy(name: string, norm: LengthNorm = "none"): Metric {
  return meanMetric({
    name,
    score: (document, answers) => Number(isGold(argmax(normalised(document, answers, norm)), document.gold)),
  });
}

/** The place of the largest number, the first of equals; -1 where there is none. */
export function argmax(values: readonly number[]): number {
  let best = -1;
  for (const [place, value] of values.entries()) {
    if (!Number.isNaN(value) && (best === -1 || value > values[best]!)) best = place;
  }
  return best;
}

function normalised({ choices }: TaskDocument, { scores }: TaskAnswers, norm: LengthNorm): number[] {
  return scores.map(({ logLikelihood, tokenCount }, place) => {
    const text = choices[place] ?? "";
    if (norm === "characters") return logLikelihood / pythonLength(text);
    if (norm === "bytes") return logLikelihood / Buffer.byteLength(text);
    return norm === "tokens" ? logLikelihood / tokenCount : logLikelihood;
  });
}

function isGold(chosen: number, gold: Gold): boolean {
  return typeof gold === "object" && gold !== null ? gold.some((one) => one === chosen) : gold === chosen;
}
