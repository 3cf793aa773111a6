/** What a row adds to the totals of a ratio. */
export interface RatioPart {
  /** Parts of one row are not independent, and count together. */
  readonly row: number;
  readonly numerator: number;
  readonly denominator: number;
}

/**
 * Standard error of a ratio of totals over rows that are a sample of many:
 * `sqrt(n / (n - 1) * sum_i (numerator_i - ratio * denominator_i)^2) / denominator` (W. G. Cochran, Sampling Techniques,
 * 1977, section 6.4, without the correction for finite populations). Where each denominator is 1 it is that of a mean.
 * Of the exponential function of a ratio it is the error times the function's slope.
 * @returns undefined for fewer than two rows
 */
export function ratioError(parts: readonly RatioPart[], transform: "identity" | "exp"): number | undefined {
  const rows = new Map<number, { numerator: number; denominator: number }>();
  for (const { row, numerator, denominator } of parts) {
    const sum = rows.get(row) ?? { numerator: 0, denominator: 0 };
    rows.set(row, {
      numerator: sum.numerator + numerator,
      denominator: sum.denominator + denominator,
    });
  }
  const all = [...rows.values()];
  const n = all.length;
  const total = (value: (row: (typeof all)[number]) => number) =>
    all.reduce((sum, row) => sum + value(row), 0);
  const denominator = total((row) => row.denominator);
  if (n < 2 || denominator === 0) return undefined;
  const ratio = total((row) => row.numerator) / denominator;
  const squares = total((row) => (row.numerator - ratio * row.denominator) ** 2);
  const error = Math.sqrt((n / (n - 1)) * squares) / denominator;
  return transform === "exp" ? error * Math.exp(ratio) : error;
}
