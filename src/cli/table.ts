/**
 * A text table with aligned columns: numbers to the right, everything else to the left.
 * @param rows cells as they are to be shown; a row shorter than the head is padded
 */
export function textTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => (row[column] ?? "").length)),
  );
  const numeric = head.map((_, column) =>
    rows.every((row) => (row[column] ?? "") === "" || !Number.isNaN(Number(row[column]))),
  );
  const line = (cells: readonly string[]) =>
    widths
      .map((width, column) => {
        const cell = cells[column] ?? "";
        return numeric[column] && rows.length > 0 ? cell.padStart(width) : cell.padEnd(width);
      })
      .join("  ")
      .trimEnd();
  return [line(head), widths.map((width) => "-".repeat(width)).join("  "), ...rows.map(line)].join("\n");
}

/** A number as people read it: at most six significant digits, no trailing zeros. */
export function shortNumber(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(6)));
}
