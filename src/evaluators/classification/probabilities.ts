/** What logits say about labels, added up over rows. */
export interface LogitSums {
  rows: number;
  /** Predicted class of each row: the largest logit, the first of equal ones. */
  predictions: Int32Array;
  /** Probability of the predicted class, row by row. */
  confidences: Float64Array;
  /** Sum of -ln p(true class). */
  surprise: number;
  /** Rows whose true class is among the k largest logits; of equal logits the lower class index counts as larger. */
  withinTop: number;
}

/**
 * One pass over logits of shape [rows, classes], in double precision. Probabilities are the softmax, shifted
 * by the largest logit so that nothing overflows: ln p = z - max - ln(sum of exp(z - max)).
 * @param labels class indices from 0 to `classes - 1`
 */
export function logitSums(
  logits: ArrayLike<number>,
  labels: ArrayLike<number>,
  { classes, k }: { classes: number; k: number },
): LogitSums {
  const rows = labels.length;
  const predictions = new Int32Array(rows);
  const confidences = new Float64Array(rows);
  let surprise = 0;
  let withinTop = 0;
  for (let row = 0; row < rows; row++) {
    const start = row * classes;
    const label = labels[row]!;
    const own = logits[start + label]!;
    let best = 0;
    let ahead = 0;
    for (let index = 0; index < classes; index++) {
      const logit = logits[start + index]!;
      if (logit > logits[start + best]!) best = index;
      if (logit > own || (logit === own && index < label)) ahead += 1;
    }
    const largest = logits[start + best]!;
    let sum = 0;
    for (let index = 0; index < classes; index++) sum += Math.exp(logits[start + index]! - largest);
    predictions[row] = best;
    confidences[row] = 1 / sum;
    surprise += Math.log(sum) - (own - largest);
    if (ahead < k) withinTop += 1;
  }
  return { rows, predictions, confidences, surprise, withinTop };
}

/**
 * Expected calibration error (Naeini, Cooper and Hauskrecht 2015; Guo et al. 2017): confidences fall into
 * `bins` bins of equal width, bin b holding ((b - 1) / bins, b / bins]; the error is the sum over bins of
 * (rows in the bin / rows) x |accuracy of the bin - mean confidence of the bin|. Empty bins add nothing.
 * @param confidences probability of the predicted class, in (0, 1]
 * @param correct 1 where the prediction was right, else 0
 * @returns undefined without rows
 */
export function expectedCalibrationError(
  confidences: ArrayLike<number>,
  correct: ArrayLike<number>,
  bins: number,
): number | undefined {
  const rows = confidences.length;
  if (rows === 0) return undefined;
  // Per bin the sum of (correct - confidence): its absolute value over all rows is the bin's whole term.
  const gaps = new Float64Array(bins);
  for (let row = 0; row < rows; row++) {
    const confidence = confidences[row]!;
    const bin = Math.min(bins - 1, Math.max(0, Math.ceil(confidence * bins) - 1));
    gaps[bin]! += correct[row]! - confidence;
  }
  return gaps.reduce((sum, gap) => sum + Math.abs(gap), 0) / rows;
}
