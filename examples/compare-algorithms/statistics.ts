/** The mean of numbers, of which there is at least one. */
export function meanOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

/** The standard deviation of a sample, `sqrt(sum (x - mean)^2 / (n - 1))`; null of a single number. */
export function deviationOf(numbers: readonly number[]): number | null {
  if (numbers.length < 2) return null;
  const mean = meanOf(numbers);
  return Math.sqrt(numbers.reduce((sum, number) => sum + (number - mean) ** 2, 0) / (numbers.length - 1));
}

/** A table in Markdown with aligned columns. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, place) =>
    Math.max(title.length, ...rows.map((row) => row[place]!.length), 3),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, place) => cell.padEnd(widths[place]!)).join(" | ")} |`;
  return [line(head), `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`, ...rows.map(line)].join(
    "\n",
  );
}
