import { chiSquareTail } from "../../base/index.js";

/** A test of whether two systems that were asked the same are right equally often. */
export interface McNemarTest {
  readonly method: "exact" | "chi-square";
  /** The chance of a difference at least as large, either way, if there were none. */
  readonly p: number;
}

/** Below so many questions on which they differ the normal distribution is no match. */
const FEW = 25;

/**
 * McNemar's test (Psychometrika 12, 1947) on what each question says: samples that only B has right minus those that
 * only A has right. Questions that say nothing drop out.
 *
 * Exact for fewer than 25 of them: if A and B were alike, each could have fallen the other way, so the chance is the
 * share of all choices of signs whose sum is at least as far from 0. With one sample per question that is the binomial
 * test, `2 P(X <= min(b, c))` with X from Binomial(b + c, 1/2).
 *
 * Else `(|S| - 1)^2 / sum s_k^2` against chi-square of one degree of freedom: with one sample per question
 * `(|b - c| - 1)^2 / (b + c)` with the continuity correction of Edwards (Psychometrika 13, 1948); its denominator for
 * clusters is that of Yang, Sun and Hardin (Biometrical Journal 52, 2010).
 * @param signs whole numbers, one for each question
 */
export function mcNemarTest(signs: readonly number[]): McNemarTest {
  const telling = signs.filter((sign) => sign !== 0);
  const sum = telling.reduce((total, sign) => total + sign, 0);
  if (telling.length < FEW) return { method: "exact", p: exactTail(telling.map(Math.abs), Math.abs(sum)) };
  const squares = telling.reduce((total, sign) => total + sign * sign, 0);
  return { method: "chi-square", p: chiSquareTail(Math.max(0, Math.abs(sum) - 1) ** 2 / squares) };
}

/** The share of all choices of signs with which these numbers sum to `least` or more, or to its negative or less. */
function exactTail(sizes: readonly number[], least: number): number {
  let chances = new Map([[0, 1]]);
  for (const size of sizes) {
    const next = new Map<number, number>();
    for (const [sum, chance] of chances) {
      for (const to of [sum - size, sum + size]) next.set(to, (next.get(to) ?? 0) + chance / 2);
    }
    chances = next;
  }
  let tail = 0;
  for (const [sum, chance] of chances) if (Math.abs(sum) >= least) tail += chance;
  return Math.min(1, tail);
}
