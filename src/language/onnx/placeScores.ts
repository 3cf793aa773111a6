import { noNumbers } from "../nextToken.js";
import type { PlaceScores } from "../passes/tokenReader.js";

/**
 * Gives out what a graph that ends in scores says of places.
 * @param likely natural logarithms of probabilities, place by place as many as are asked for
 * @param best by place
 * @param asked by place, the tokens
 * @throws WEIGHTS_INVALID for logits that were no numbers
 */
export function givePlaceScores(
  likely: Float32Array,
  best: Int32Array,
  asked: readonly (readonly number[])[],
  visit: (place: number, scores: PlaceScores) => void,
): void {
  let next = 0;
  asked.forEach(({ length }, place) => {
    const logProbabilities = likely.subarray(next, next + length);
    if (logProbabilities.some(Number.isNaN)) throw noNumbers();
    visit(place, { best: best[place]!, logProbabilities });
    next += length;
  });
}
