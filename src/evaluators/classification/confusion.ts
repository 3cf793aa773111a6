/** Counts of true against predicted classes: `counts[truth * classes + prediction]`. */
export interface ConfusionMatrix {
  readonly classes: number;
  readonly counts: Float64Array;
}

/** True positives, rows of the class, and predictions of the class. */
export interface ClassCounts {
  hits: number;
  support: number;
  predicted: number;
}

/** Counts the pairs; both hold class indices from 0 to `classes - 1`. */
export function confusionMatrix(
  truths: ArrayLike<number>,
  predictions: ArrayLike<number>,
  classes: number,
): ConfusionMatrix {
  const counts = new Float64Array(classes * classes);
  for (let row = 0; row < truths.length; row++) counts[truths[row]! * classes + predictions[row]!]! += 1;
  return { classes, counts };
}

/** The margins of a confusion matrix, class by class. */
export function classCounts({ classes, counts }: ConfusionMatrix): ClassCounts[] {
  return Array.from({ length: classes }, (_, own) => {
    let support = 0;
    let predicted = 0;
    for (let other = 0; other < classes; other++) {
      support += counts[own * classes + other]!;
      predicted += counts[other * classes + own]!;
    }
    return { hits: counts[own * classes + own]!, support, predicted };
  });
}

/**
 * Accuracy, balanced accuracy, precision, recall, F1 and kappa from the counts alone.
 *
 * - Precision = hits / predicted, recall = hits / support, F1 = 2 hits / (predicted + support)
 *   (van Rijsbergen 1979). A ratio of nothing counts as 0 in the averages, as in scikit-learn.
 * - Macro averages are over the classes that occur among labels or predictions; weighted ones weigh by
 *   support. Absent classes count for nothing.
 * - Balanced accuracy is the mean recall over the classes that occur among the labels (Brodersen et al. 2010).
 * - Kappa = (observed - expected) / (1 - expected) agreement (Cohen 1960). Where labels and predictions are
 *   all of one class, chance alone agrees fully and kappa does not exist: it is absent.
 *
 * Without rows nothing exists.
 */
export function confusionMetrics(matrix: ConfusionMatrix): Record<string, number> {
  const margins = classCounts(matrix);
  const rows = total(margins, ({ support }) => support);
  if (rows === 0) return {};

  const seen = margins.filter(({ support, predicted }) => support + predicted > 0);
  const present = margins.filter(({ support }) => support > 0);
  const macro = (of: (counts: ClassCounts) => number) => total(seen, of) / seen.length;
  const weighted = (of: (counts: ClassCounts) => number) =>
    total(present, (counts) => of(counts) * counts.support) / rows;

  const observed = total(margins, ({ hits }) => hits) / rows;
  const expected = total(margins, ({ support, predicted }) => (support / rows) * (predicted / rows));
  return {
    accuracy: observed,
    balanced_accuracy: total(present, recall) / present.length,
    precision_macro: macro(precision),
    recall_macro: macro(recall),
    f1_macro: macro(f1),
    precision_weighted: weighted(precision),
    recall_weighted: weighted(recall),
    f1_weighted: weighted(f1),
    ...(expected < 1 && { cohens_kappa: (observed - expected) / (1 - expected) }),
  };
}

/** Columns of single classes: `class_<index>_precision` and so on; a ratio of nothing is absent. */
export function classDetails(matrix: ConfusionMatrix): Record<string, number> {
  const entries = classCounts(matrix).flatMap((counts, index) => {
    const { support, predicted } = counts;
    const columns: [string, number][] = [];
    if (predicted > 0) columns.push([`class_${index}_precision`, precision(counts)]);
    if (support > 0) columns.push([`class_${index}_recall`, recall(counts)]);
    if (support + predicted > 0) columns.push([`class_${index}_f1`, f1(counts)]);
    columns.push([`class_${index}_support`, support]);
    return columns;
  });
  return Object.fromEntries(entries);
}

/** The matrix as rows of numbers, for JSON: one row per true class. */
export function matrixRows({ classes, counts }: ConfusionMatrix): number[][] {
  return Array.from({ length: classes }, (_, truth) =>
    Array.from(counts.subarray(truth * classes, (truth + 1) * classes)),
  );
}

function precision({ hits, predicted }: ClassCounts): number {
  return predicted === 0 ? 0 : hits / predicted;
}

function recall({ hits, support }: ClassCounts): number {
  return support === 0 ? 0 : hits / support;
}

function f1({ hits, support, predicted }: ClassCounts): number {
  return support + predicted === 0 ? 0 : (2 * hits) / (support + predicted);
}

function total<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((sum, item) => sum + of(item), 0);
}
