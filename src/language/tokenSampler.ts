import type { Random } from "../base/index.js";
import { type Logits, mostLikely, readLogits } from "./nextToken.js";

/** How one token is chosen. */
export interface SamplerSettings {
  readonly temperature: number;
  readonly topK: number;
  readonly topP: number;
  /** Whether the token that crosses `topP` stays. Default `keep`. */
  readonly topPCrossing?: "keep" | "drop";
  readonly repetitionPenalty: number;
}

/**
 * Chooses the next token: the penalty first, then temperature, top-k and top-p, as transformers orders them.
 * @param seen tokens of the prompt and of the answer so far
 * @param random draws once, and only if the temperature is above 0
 * @throws WEIGHTS_INVALID for logits that are no numbers
 */
export function chooseToken(
  logits: Logits,
  seen: ReadonlySet<number>,
  settings: SamplerSettings,
  random: Random,
): number {
  const scores = penalised(logits, seen, settings.repetitionPenalty);
  if (settings.temperature === 0) return mostLikely(scores);
  const shares = probabilities(scores, settings.temperature);
  keepLargest(shares, settings.topK);
  keepNucleus(shares, settings.topP, settings.topPCrossing);
  return draw(shares, random.next());
}

function penalised(logits: Logits, seen: ReadonlySet<number>, penalty: number): Logits {
  if (penalty === 1) return logits;
  const scores = Float64Array.from(logits);
  for (const token of seen) {
    const score = scores[token];
    if (score !== undefined) scores[token] = score > 0 ? score / penalty : score * penalty;
  }
  return scores;
}

function probabilities(scores: Logits, temperature: number): Float64Array {
  const shares = new Float64Array(scores.length);
  for (let token = 0; token < shares.length; token++) shares[token] = scores[token]! / temperature;
  const { logProbability } = readLogits(shares.slice());
  for (let token = 0; token < shares.length; token++) shares[token] = Math.exp(logProbability(token));
  return shares;
}

/** Sets all but the k largest to zero; those equal to the last of them stay. */
function keepLargest(shares: Float64Array, k: number): void {
  if (k === 0 || k >= shares.length) return;
  const least = kthLargest(shares, k);
  shares.forEach((share, token) => {
    if (share < least) shares[token] = 0;
  });
}

/** Selection by halves (Hoare 1961): sorting a vocabulary for every token costs more than many a model. */
function kthLargest(values: Float64Array, k: number): number {
  let candidates = values;
  for (let wanted = k; ; ) {
    const pivot = candidates[candidates.length >> 1]!;
    const larger = candidates.filter((value) => value > pivot);
    if (wanted <= larger.length) {
      candidates = larger;
      continue;
    }
    const smaller = candidates.filter((value) => value < pivot);
    const notSmaller = candidates.length - smaller.length;
    if (wanted <= notSmaller) return pivot;
    wanted -= notSmaller;
    candidates = smaller;
  }
}

/**
 * Sets all to zero but the largest that together reach the share `p` of what is there; of equals the first stay.
 * @param crossing whether the token stays with which they first go beyond it; the largest does in any case
 */
export function keepNucleus(
  shares: Float64Array,
  p: number,
  crossing: SamplerSettings["topPCrossing"] = "keep",
): void {
  if (p >= 1) return;
  const total = sum(shares);
  // All shares below this one make less than 1 - p together: the others, usually few, hold the nucleus.
  const small = ((1 - p) * total) / shares.length;
  const sorted = shares
    .filter((share) => share >= small && share > 0)
    .sort()
    .reverse();
  const enough = p * total;
  let kept = 0;
  let together = 0;
  for (; kept < sorted.length && (kept === 0 || together < enough); kept++) together += sorted[kept]!;
  if (crossing === "drop" && kept > 1 && together > enough) kept--;
  const least = sorted[kept - 1]!;
  // Of several as large as the last one, so many stay.
  let equals = sorted.subarray(0, kept).filter((share) => share === least).length;
  shares.forEach((share, token) => {
    if (share < least || (share === least && equals-- <= 0)) shares[token] = 0;
  });
}

/** The token at the place `at`, from 0 to below 1, of all shares laid end to end. */
function draw(shares: Float64Array, at: number): number {
  let left = at * sum(shares);
  let last = 0;
  for (let token = 0; token < shares.length; token++) {
    if (shares[token] === 0) continue;
    last = token;
    left -= shares[token]!;
    if (left < 0) break;
  }
  return last;
}

function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0);
}
