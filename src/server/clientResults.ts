import type { ClientEvaluation } from "../protocol/index.js";
import type { ScalarMetric } from "../trainers/index.js";

/** What one accepted update says of itself, and what the server measured of it. */
export interface ClientResult {
  readonly clientId: number;
  readonly numSamples: number;
  readonly trainLoss: number | null;
  readonly scalar: ScalarMetric | null;
  /** Of evaluators that ran on the client. */
  readonly evaluations?: readonly ClientEvaluation[] | undefined;
  /** Seconds of training, as reported. */
  readonly trainingTime: number;
  /** Seconds in which the weights travelled, both ways; see `clientTimes`. */
  readonly commTime: number;
  /** Seconds from the assignment to the accepted update, or what stands for them in simulated time. */
  readonly totalTime: number;
}

/** Sample-weighted mean and population standard deviation; null without samples. */
export function weightedMoments(
  values: readonly { readonly value: number; readonly weight: number }[],
): { mean: number; std: number } | null {
  const total = values.reduce((sum, { weight }) => sum + weight, 0);
  if (!(total > 0)) return null;
  const mean = values.reduce((sum, { value, weight }) => sum + value * weight, 0) / total;
  const variance = values.reduce((sum, { value, weight }) => sum + weight * (value - mean) ** 2, 0) / total;
  return { mean, std: Math.sqrt(variance) };
}

/** The clients' own test scalars as one; null when no client with samples has tested. */
export function scalarOfClients(
  results: readonly ClientResult[],
): { metric: ScalarMetric; std: number } | null {
  const tested = results.flatMap(({ scalar, numSamples }) =>
    scalar === null ? [] : [{ value: scalar.value, weight: numSamples, scalar }],
  );
  const moments = weightedMoments(tested);
  if (moments === null) return null;
  const { name, higherIsBetter } = tested[0]!.scalar;
  return { metric: { name, higherIsBetter, value: moments.mean }, std: moments.std };
}
