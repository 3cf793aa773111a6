import type { Run, RunSummary } from "../../api/index.js";
import { rowObject } from "../../results/index.js";
import type { ReadRun } from "./recordReader.js";

/** A run in one line. */
export function runSummary({ run, table }: ReadRun): RunSummary {
  const { manifest } = run;
  const last = table.rows.at(-1);
  return {
    run_id: run.runId,
    name: manifest?.name ?? null,
    status: manifest?.status ?? null,
    start: manifest?.start ?? null,
    end: manifest?.end ?? null,
    rounds: table.rows.length,
    last_row: last === undefined ? null : rowObject(last),
  };
}

/** A run's columns, and rows from a place on. */
export function runView({ run, table }: ReadRun, from: number, limit: number): Run {
  const { manifest } = run;
  return {
    run_id: run.runId,
    name: manifest?.name ?? null,
    status: manifest?.status ?? null,
    start: manifest?.start ?? null,
    end: manifest?.end ?? null,
    error: manifest?.error ?? null,
    columns: [...table.columns],
    described: manifest?.columns ?? {},
    from,
    total: table.rows.length,
    rows: rowsFrom(table, from, limit),
  };
}

/** Cells in the order of the columns. */
export function rowsFrom({ columns, rows }: ReadRun["table"], from: number, limit: number): Run["rows"] {
  return rows.slice(from, from + limit).map((row) => columns.map((column) => row.get(column) ?? null));
}
