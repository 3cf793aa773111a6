import { createRandom } from "../../base/index.js";
import { type McNemarTest, mcNemarTest } from "./mcNemar.js";

/** One sample scored twice. */
export interface ScoredPair {
  /** Samples of one question are not independent. */
  readonly question: number | string;
  readonly a: number;
  readonly b: number;
}

/** How two systems differ on what both were asked. */
export interface PairedDifference {
  readonly pairs: number;
  readonly questions: number;
  readonly meanA: number;
  readonly meanB: number;
  /** Mean of b - a over all samples. */
  readonly difference: number;
  /** Clustered by question; null for fewer than two. */
  readonly standardError: number | null;
  /** Bounds of the interval; null for fewer than two questions. */
  readonly low: number | null;
  readonly high: number | null;
  /** Where all scores are 0 or 1. */
  readonly test: McNemarTest | null;
}

/** How an interval is found. */
export interface IntervalOptions {
  /** Share of the draws inside it, for example 0.95. */
  readonly confidence: number;
  /** What draws derive from; the same for the same comparison. */
  readonly seed: string;
  /** Default 2,000. */
  readonly draws?: number;
}

const DRAWS = 2000;

/**
 * The paired difference of two systems.
 *
 * The standard error sums deviations within a question before squaring,
 * `sqrt(sum_k (sum_i (d_ik - mean))^2) / n`: equations 4 and 7 of E. Miller, "Adding error bars to evals" (2024), for
 * paired and clustered samples. The interval is the percentile bootstrap (Efron and Tibshirani, 1993, chapter 13),
 * drawing whole questions.
 * @param pairs at least one
 */
export function pairedDifference(pairs: readonly ScoredPair[], options: IntervalOptions): PairedDifference {
  const clusters = clustersOf(pairs);
  const { length: n } = pairs;
  const difference = clusters.reduce((sum, cluster) => sum + cluster.sum, 0) / n;
  const squares = clusters.reduce((sum, cluster) => sum + (cluster.sum - cluster.size * difference) ** 2, 0);
  const several = clusters.length > 1;
  const bounds = several ? bootstrapBounds(clusters, options) : null;
  const binary = pairs.every(({ a, b }) => (a === 0 || a === 1) && (b === 0 || b === 1));
  return {
    pairs: n,
    questions: clusters.length,
    meanA: mean(pairs.map(({ a }) => a)),
    meanB: mean(pairs.map(({ b }) => b)),
    difference,
    standardError: several ? Math.sqrt(squares) / n : null,
    low: bounds?.[0] ?? null,
    high: bounds?.[1] ?? null,
    test: binary ? mcNemarTest(clusters.map(({ sum }) => sum)) : null,
  };
}

/** The differences of one question. */
interface Cluster {
  sum: number;
  size: number;
}

function clustersOf(pairs: readonly ScoredPair[]): Cluster[] {
  const clusters = new Map<number | string, Cluster>();
  for (const { question, a, b } of pairs) {
    const cluster = clusters.get(question) ?? { sum: 0, size: 0 };
    cluster.sum += b - a;
    cluster.size += 1;
    clusters.set(question, cluster);
  }
  return [...clusters.values()];
}

function bootstrapBounds(
  clusters: readonly Cluster[],
  { confidence, seed, draws = DRAWS }: IntervalOptions,
): [low: number, high: number] {
  const random = createRandom(seed, "bootstrap");
  const drawn = new Float64Array(draws);
  for (let draw = 0; draw < draws; draw++) {
    let sum = 0;
    let size = 0;
    for (let place = 0; place < clusters.length; place++) {
      const cluster = clusters[random.int(clusters.length)]!;
      sum += cluster.sum;
      size += cluster.size;
    }
    drawn[draw] = sum / size;
  }
  drawn.sort();
  return [quantile(drawn, (1 - confidence) / 2), quantile(drawn, (1 + confidence) / 2)];
}

/** Linear between the two nearest of sorted values. */
function quantile(sorted: Float64Array, share: number): number {
  const place = share * (sorted.length - 1);
  const below = Math.floor(place);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below]! + (place - below) * (sorted[above]! - sorted[below]!);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
