import { columnName, unknownName } from "../base/index.js";
import type { Manifest } from "./manifest.js";
import type { CellValue, Table } from "./readTable.js";

/** A table as people read it: head and cells as text. */
export interface ShownTable {
  readonly head: string[];
  readonly rows: string[][];
}

/**
 * A run's rows for a terminal: numbers with at most six significant digits, control characters made visible.
 * @param metric show only this metric beside the round: a column, or a metric by its own name
 * @throws NAME_UNKNOWN when no column carries that metric
 */
export function shownTable(table: Table, { metric, manifest }: ShownOptions = {}): ShownTable {
  const columns = metric === undefined ? table.columns : columnsOf(table, metric, manifest ?? null);
  return {
    head: columns.map(shown),
    rows: table.rows.map((row) => columns.map((column) => shown(row.get(column) ?? null))),
  };
}

interface ShownOptions {
  readonly metric?: string | undefined;
  readonly manifest?: Manifest | null | undefined;
}

function columnsOf(table: Table, metric: string, manifest: Manifest | null): string[] {
  const found = metricColumns(table, metric, manifest);
  if (found.length === 0) throw unknownName("metric", metric, [...table.columns].sort());
  return [...new Set([...table.columns.filter((column) => column === "round"), ...found])];
}

/** The columns that carry a metric: a column by its name, else all that are described as that metric's. */
export function metricColumns({ columns }: Table, metric: string, manifest: Manifest | null): string[] {
  const named = [metric, `evaluation_${columnName(metric)}`].find((column) => columns.includes(column));
  if (named !== undefined) return [named];
  return Object.entries(manifest?.columns ?? {})
    .filter(([column, { metric: own }]) => own === metric && columns.includes(column))
    .map(([column]) => column);
}

function shown(value: CellValue): string {
  if (value === null) return "";
  if (typeof value === "number") {
    return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(6)));
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a cell must not steer the terminal
  return value.replace(/[\u0000-\u001f\u007f-\u009f]/g, (character) =>
    JSON.stringify(character).slice(1, -1),
  );
}
