import { PythonRandom } from "../../base/index.js";

/** How standard errors are found. */
export interface ErrorOptions {
  /**
   * `lighteval`: a bootstrap error is divided once more by the root of the number of draws, as lighteval does,
   * which makes it too small. Default `sound`.
   */
  readonly convention?: "sound" | "lighteval" | undefined;
  /** Draws of a bootstrap; 0: no standard error is found this way. */
  readonly bootstrapDraws: number;
}

/** The mean of values. */
export function mean(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

/** Sample deviation, divided by n - 1. Undefined for fewer than two values. */
export function sampleDeviation(values: readonly number[]): number | undefined {
  if (values.length < 2) return undefined;
  const middle = mean(values);
  let squares = 0;
  for (const value of values) squares += (value - middle) ** 2;
  return Math.sqrt(squares / (values.length - 1));
}

/** Of a mean: the sample deviation by the root of n. Undefined for fewer than two values. */
export function meanError(values: readonly number[]): number | undefined {
  const deviation = sampleDeviation(values);
  return deviation === undefined ? undefined : deviation / Math.sqrt(values.length);
}

/**
 * By drawing samples of the same size with replacement: the deviation of the statistic over them. Draws come in
 * chunks of 1,000, chunk i from CPython's generator with seed i, as both lighteval and EleutherAI's harness do.
 * @param statistic of places among the values, so that values of several numbers can be drawn too
 */
export function bootstrapError(
  count: number,
  statistic: (places: Uint32Array) => number,
  { bootstrapDraws, convention = "sound" }: ErrorOptions,
): number | undefined {
  if (bootstrapDraws < 2 || count < 2) return undefined;
  const chunk = Math.min(1000, bootstrapDraws);
  const drawn: number[] = [];
  const places = new Uint32Array(count);
  for (let seed = 0; seed < Math.floor(bootstrapDraws / chunk); seed++) {
    const random = new PythonRandom(seed);
    for (let draw = 0; draw < chunk; draw++) {
      for (let place = 0; place < count; place++) places[place] = Math.floor(random.random() * count);
      drawn.push(statistic(places));
    }
  }
  const error = convention === "lighteval" ? meanError(drawn) : sampleDeviation(drawn);
  return error !== undefined && Number.isFinite(error) ? error : undefined;
}

/**
 * Of a group's mean, from those of its tasks: variances pooled by size
 * (`pooled_sample_stderr` of EleutherAI's harness). Undefined where one is.
 */
export function pooledError(
  parts: readonly { size: number; error: number | undefined }[],
): number | undefined {
  const total = parts.reduce((sum, { size }) => sum + size, 0);
  if (total <= parts.length || parts.some(({ error }) => error === undefined)) return undefined;
  const squares = parts.reduce((sum, { size, error = 0 }) => sum + (size - 1) * error ** 2 * size, 0);
  return Math.sqrt(squares / (total - parts.length) / total);
}
