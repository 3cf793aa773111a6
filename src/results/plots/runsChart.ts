import { columnName, unknownName } from "../../base/index.js";
import type { Manifest } from "../manifest.js";
import type { Table } from "../readTable.js";
import { metricColumns } from "../shownTable.js";
import { type Axis, type Line, type LinePoint, lineChart, type Panel } from "./lineChart.js";
import type { Chart } from "./renderChart.js";

/** A run as it is drawn. */
export interface PlottedRun {
  readonly runId: string;
  readonly table: Table;
  readonly manifest: Manifest | null;
}

/**
 * Draws what runs recorded, a line for each, with bands where the bounds of an interval stand beside a number
 * (`_ci_low`, `_ci_high`).
 * @param metric this one alone over the rounds, a column or a metric by its own name; else the pairs of
 *   `results.plot` and each evaluator's primary metric
 * @throws NAME_UNKNOWN when no run has it as numbers
 */
export function runsChart(runs: readonly PlottedRun[], metric?: string): Chart {
  const pairs = metric === undefined ? worthSeeing(runs) : [{ x: "round", y: metric }];
  const panels = pairs.flatMap((pair): Panel[] => {
    const lines = runs.flatMap((run) => lineOf(run, pair));
    return lines.length === 0 ? [] : [{ ...axesOf(runs, pair), lines }];
  });
  if (panels.length === 0) throw nothingToDraw(runs, metric);
  const bounded = panels.some(({ lines }) =>
    lines.some(({ points }) => points.some(({ low }) => low != null)),
  );
  const [first] = runs;
  return lineChart({
    title: runs.length === 1 ? first!.runId : `${runs.length} runs`,
    ...(bounded && { note: `shaded: ${intervalOf(runs)}` }),
    panels,
  });
}

interface Pair {
  readonly x: string;
  readonly y: string;
}

/** Panels that can still be told apart on one page. */
const MOST_PANELS = 8;

/** What the configuration names, then what the evaluators are judged by. */
function worthSeeing(runs: readonly PlottedRun[]): Pair[] {
  const named = runs.flatMap(({ manifest }) => {
    const { plot } = ((manifest?.config ?? {}) as { results?: { plot?: unknown } }).results ?? {};
    return Array.isArray(plot) ? plot.map(String) : [];
  });
  const pairs = [...new Set(named.length > 0 ? named : ["round-accuracy"])].map((pair) => {
    const [x, ...y] = pair.split("-");
    return { x: x!, y: y.join("-") };
  });
  const scalars = new Set(runs.map((run) => run.manifest?.columns.accuracy?.metric ?? "accuracy"));
  const primaries = runs.flatMap(({ table, manifest }) =>
    table.columns
      .filter((column) => column.endsWith("primary_value"))
      .map((column) => measuredColumn(column, manifest))
      // The test scalar by another name would be the same picture twice.
      .filter((column) => !scalars.has(manifest?.columns[column]?.metric ?? column)),
  );
  const further = [...new Set(primaries)].map((y) => ({ x: "round", y }));
  return [...pairs, ...further].slice(0, MOST_PANELS);
}

/** The metric's own column beside which its interval stands, of a column that repeats it. */
function measuredColumn(column: string, manifest: Manifest | null): string {
  const described = manifest?.columns ?? {};
  const own = described[column];
  const twin = Object.entries(described).find(
    ([name, { evaluator, metric }]) =>
      name !== column && evaluator === own?.evaluator && metric === own?.metric,
  );
  return own === undefined || twin === undefined ? column : twin[0];
}

function columnOf({ table, manifest }: PlottedRun, name: string): string | undefined {
  return metricColumns(table, name, manifest).find((column) => column !== "round" || name === "round");
}

function lineOf(run: PlottedRun, { x, y }: Pair): Line[] {
  const column = columnOf(run, y);
  if (column === undefined) return [];
  const { rows } = run.table;
  const number = (row: Table["rows"][number], name: string) => {
    const value = row.get(name);
    return typeof value === "number" ? value : null;
  };
  const status = statusColumn(run, column);
  const points = rows.flatMap((row, place): LinePoint[] => {
    const at = number(row, x) ?? (x === "round" ? (run.manifest?.first_round ?? 1) + place : null);
    const value = number(row, column);
    // Not due is no gap; failed is one.
    const failed = ["failed", "timeout"].includes(String(row.get(status)));
    if (at === null || (value === null && !failed)) return [];
    return [
      { x: at, y: value, low: number(row, `${column}_ci_low`), high: number(row, `${column}_ci_high`) },
    ];
  });
  return points.some((point) => point.y !== null) ? [{ name: run.runId, points }] : [];
}

function statusColumn({ manifest, table }: PlottedRun, column: string): string {
  const evaluator = manifest?.columns[column]?.evaluator ?? "";
  const own = `evaluation_${columnName(evaluator)}_status`;
  return table.columns.includes(own) ? own : "evaluation_status";
}

function axesOf(runs: readonly PlottedRun[], { x, y }: Pair): { x: Axis; y: Axis } {
  const facts = (name: string): Axis => {
    for (const run of runs) {
      const column = columnOf(run, name);
      const known = column === undefined ? undefined : run.manifest?.columns[column];
      if (known !== undefined) {
        const { metric, unit, higher_is_better: higherIsBetter } = known;
        return { name: metric.replaceAll("_", " "), unit, higherIsBetter };
      }
    }
    return { name: name.replaceAll("_", " ") };
  };
  return { x: facts(x), y: facts(y) };
}

/** The chance that the first table of the first run asks for. */
function intervalOf(runs: readonly PlottedRun[]): string {
  const tables = runs.flatMap(({ manifest }) =>
    [(manifest?.config as { evaluation?: unknown } | null)?.evaluation ?? []].flat(),
  ) as { confidence?: unknown }[];
  const confidence = tables.find((table) => typeof table.confidence === "number")?.confidence as
    | number
    | undefined;
  return confidence === undefined ? "interval" : `${Number((confidence * 100).toPrecision(6))} % interval`;
}

function nothingToDraw(runs: readonly PlottedRun[], metric: string | undefined) {
  const numeric = runs.flatMap(({ table }) =>
    table.columns.filter((column) => table.rows.some((row) => typeof row.get(column) === "number")),
  );
  return unknownName("metric with numbers", metric ?? "accuracy", [...new Set(numeric)].sort());
}
