/**
 * CORE as nanochat writes it, columns padded with blanks: a line per task, the metric in the last.
 * @param accuracies and @param centred by label
 */
export function coreTable(
  accuracies: ReadonlyMap<string, number>,
  centred: ReadonlyMap<string, number>,
  metric: number,
): string {
  const line = (label: string, accuracy: string, centredAccuracy: string) =>
    `${label.padEnd(35)}, ${accuracy.padEnd(10)}, ${centredAccuracy.padEnd(10)}\n`;
  const rows = [...accuracies].map(([label, accuracy]) =>
    line(label, accuracy.toFixed(6), (centred.get(label) ?? 0).toFixed(6)),
  );
  return [line("Task", "Accuracy", "Centered"), ...rows, line("CORE", "", metric.toFixed(6))].join("");
}
