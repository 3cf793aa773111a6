/** What `coreTable` shows. */
export interface CoreRows {
  /** By label. */
  readonly accuracies: ReadonlyMap<string, number>;
  readonly centred: ReadonlyMap<string, number>;
  readonly metric: number;
  /** Whether it is the mean of all of CORE; else it does not go by that name. */
  readonly whole: boolean;
}

/** CORE as nanochat writes it, columns padded with blanks: a line per task, the metric in the last. */
export function coreTable({ accuracies, centred, metric, whole }: CoreRows): string {
  const line = (label: string, accuracy: string, centredAccuracy: string) =>
    `${label.padEnd(35)}, ${accuracy.padEnd(10)}, ${centredAccuracy.padEnd(10)}\n`;
  const rows = [...accuracies].map(([label, accuracy]) =>
    line(label, accuracy.toFixed(6), (centred.get(label) ?? 0).toFixed(6)),
  );
  const name = whole ? "CORE" : "CORE (partial)";
  return [line("Task", "Accuracy", "Centered"), ...rows, line(name, "", metric.toFixed(6))].join("");
}
