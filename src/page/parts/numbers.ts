import type { Run } from "../../api/runs.js";

/** What stands in a cell. */
export type Cell = Run["rows"][number][number];

/**
 * A number as a table shows it: so many digits that it can be told from its neighbours, and no more.
 * @param decimals those of its column, where numbers stand below each other
 */
export function shownNumber(value: number, decimals?: number): string {
  const size = Math.abs(value);
  if (size >= 1e9 || (size < 1e-4 && value !== 0)) return value.toExponential(3);
  if (decimals !== undefined) return value.toFixed(decimals);
  return Number.isInteger(value) ? String(value) : value.toFixed(fitting(size));
}

/** Decimals that fit all numbers of a column. */
export function decimalsOf(cells: readonly (Cell | undefined)[]): number {
  const numbers = cells.filter((cell) => typeof cell === "number");
  if (numbers.every(Number.isInteger)) return 0;
  return fitting(Math.max(...numbers.map(Math.abs)));
}

function fitting(size: number): number {
  return size <= 1 ? 4 : size < 100 ? 3 : size < 10_000 ? 2 : 1;
}

/** A cell; an empty one says so by a dash. */
export function shownCell(cell: Cell | undefined, decimals?: number): string {
  if (cell === null || cell === undefined || cell === "") return "–";
  return typeof cell === "number" ? shownNumber(cell, decimals) : cell;
}

/** A difference, with its sign. */
export function signed(value: number): string {
  return value > 0 ? `+${shownNumber(value)}` : shownNumber(value).replace("-", "−");
}

/** A count in words: `1 row`, `2 rows`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
