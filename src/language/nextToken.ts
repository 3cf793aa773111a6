import { ElenchusError } from "../base/index.js";
import { exponentialSum } from "./exponentialSum.js";

/** Logits after one place. */
export type Logits = ArrayLike<number>;

/** What is needed of the softmax of logits. */
export interface NextToken {
  /** The most likely token, the first of equals. */
  readonly best: number;
  /** Natural logarithm of a token's probability. */
  logProbability(token: number): number;
}

/**
 * Reads logits. Sums are double precision, whatever the model's precision is.
 * @throws WEIGHTS_INVALID for logits that are no numbers: an arg max over them would take the first NaN for the best
 */
export function readLogits(logits: Logits): NextToken {
  const best = mostLikely(logits);
  const largest = logits[best]!;
  const normaliser = largest + Math.log(exponentialSum(logits, largest));
  if (!Number.isFinite(normaliser)) throw noNumbers();
  return { best, logProbability: (token) => logits[token]! - normaliser };
}

/** The token with the largest logit, the first of equals. @throws WEIGHTS_INVALID as `readLogits` */
export function mostLikely(logits: Logits): number {
  let best = 0;
  let largest = Number.NEGATIVE_INFINITY;
  for (let token = 0; token < logits.length; token++) {
    const logit = logits[token]!;
    if (logit <= largest) continue;
    if (Number.isNaN(logit)) throw noNumbers();
    largest = logit;
    best = token;
  }
  return best;
}

/** What is said of logits that are no numbers. */
export function noNumbers(): ElenchusError {
  return new ElenchusError(
    "WEIGHTS_INVALID",
    "The model's logits are not finite numbers. Training has probably diverged: lower the learning rate, or go back to an earlier checkpoint.",
  );
}
