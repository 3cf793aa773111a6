import type { Run } from "../../api/runs.js";

/** What stands in a cell. */
export type Cell = Run["rows"][number][number];

/** A number as a table shows it: so many digits that it can be told from its neighbours, and no more. */
export function shownNumber(value: number): string {
  if (Number.isInteger(value)) return Math.abs(value) < 1e9 ? String(value) : value.toExponential(3);
  const size = Math.abs(value);
  if (size < 1e-4 || size >= 1e7) return value.toExponential(3);
  return value.toFixed(size < 1 ? 4 : size < 100 ? 3 : size < 10_000 ? 2 : 1);
}

/** A cell; an empty one says so by a dash. */
export function shownCell(cell: Cell | undefined): string {
  if (cell === null || cell === undefined || cell === "") return "–";
  return typeof cell === "number" ? shownNumber(cell) : cell;
}

/** A difference, with its sign. */
export function signed(value: number): string {
  return value > 0 ? `+${shownNumber(value)}` : shownNumber(value).replace("-", "−");
}

/** A count in words: `1 row`, `2 rows`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
