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

/** Which part of a run's rows. */
export interface RowsWanted {
  readonly from: number;
  readonly limit: number;
  /** The newest so many, in the place of `from`. */
  readonly last?: number | undefined;
  /** Names with commas between. */
  readonly columns?: string | undefined;
}

/** A run's columns, and some of its rows. */
export function runView({ run, table }: ReadRun, wanted: RowsWanted): Run {
  const { manifest } = run;
  const from = wanted.last === undefined ? wanted.from : Math.max(0, table.rows.length - wanted.last);
  const named = wanted.columns === undefined ? undefined : new Set(wanted.columns.split(","));
  const columns = table.columns.filter((column) => named?.has(column) ?? true);
  const described = Object.entries(manifest?.columns ?? {}).filter(([column]) => named?.has(column) ?? true);
  return {
    run_id: run.runId,
    name: manifest?.name ?? null,
    status: manifest?.status ?? null,
    start: manifest?.start ?? null,
    end: manifest?.end ?? null,
    error: manifest?.error ?? null,
    columns,
    described: Object.fromEntries(described),
    from,
    total: table.rows.length,
    rows: rowsFrom({ columns, rows: table.rows }, from, wanted.limit),
  };
}

/** Cells in the order of the columns. */
export function rowsFrom({ columns, rows }: ReadRun["table"], from: number, limit: number): Run["rows"] {
  return rows.slice(from, from + limit).map((row) => columns.map((column) => row.get(column) ?? null));
}
