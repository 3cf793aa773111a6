/** Sums over rows from which the regression metrics follow. */
export interface RegressionErrors {
  rows: number;
  /** Sum of (prediction - target)^2. */
  squared: number;
  /** Sum of |prediction - target|. */
  absolute: number;
  /** Sum of (target - mean target)^2, in two passes so that a large mean costs no digits. */
  spread: number;
}

/**
 * Adds up the errors of predictions against targets, in double precision.
 * @throws RangeError where the lengths differ
 */
export function regressionErrors(
  predictions: ArrayLike<number>,
  targets: ArrayLike<number>,
): RegressionErrors {
  const rows = targets.length;
  if (predictions.length !== rows) {
    throw new RangeError(`${predictions.length} predictions for ${rows} targets`);
  }
  let squared = 0;
  let absolute = 0;
  let sum = 0;
  for (let row = 0; row < rows; row++) {
    const error = predictions[row]! - targets[row]!;
    squared += error * error;
    absolute += Math.abs(error);
    sum += targets[row]!;
  }
  const mean = sum / rows;
  let spread = 0;
  for (let row = 0; row < rows; row++) spread += (targets[row]! - mean) ** 2;
  return { rows, squared, absolute, spread };
}

/**
 * MSE = squared / n; RMSE = its root; MAE = absolute / n; R2 = 1 - squared / spread (Wright 1921; Draper and
 * Smith, Applied Regression Analysis). R2 does not exist for constant targets and is then absent; without
 * rows nothing exists.
 */
export function regressionMetrics({
  rows,
  squared,
  absolute,
  spread,
}: RegressionErrors): Record<string, number> {
  if (rows === 0) return {};
  return {
    mse: squared / rows,
    rmse: Math.sqrt(squared / rows),
    mae: absolute / rows,
    ...(spread > 0 && { r2: 1 - squared / spread }),
  };
}
