import type { EvaluationOutcome } from "../evaluators/index.js";
import {
  type ColumnDescription,
  clientsPrefix,
  type DeclaredMetrics,
  flattenRow,
  mergedDescription,
} from "./flattenRow.js";

/** A run's columns as `run.json` describes them. */
export type Columns = Readonly<Record<string, ColumnDescription>>;

/** What decides how evaluators' columns are called. */
export interface GrowthLayout {
  /** Evaluators by whose number and order the run's columns were named, in table order. */
  readonly evaluators: readonly string[];
  readonly declared?: ((type: string) => DeclaredMetrics | undefined) | undefined;
}

/** A row after evaluators were run on its round once more. */
export interface GrownRow {
  /** Cells that change, an empty text included. */
  readonly cells: ReadonlyMap<string, string>;
  readonly columns: ReadonlyMap<string, ColumnDescription>;
  /** Numbers that have no column because it is another evaluator's. */
  readonly faults: readonly string[];
}

/**
 * The cells of outcomes that are put into a row which is there already. An evaluator of the run keeps the names of its
 * columns, and whatever it had measured in this row goes; one that came later has its own name in all of its
 * columns, as every table but the first, so that no column changes its meaning.
 */
export function grownRow(
  round: number,
  outcomes: readonly EvaluationOutcome[],
  before: Columns,
  { evaluators, declared }: GrowthLayout,
): GrownRow {
  const known = new Map(Object.entries(before));
  const cells = new Map<string, string>();
  const columns = new Map<string, ColumnDescription>();
  const faults: string[] = [];

  for (const outcome of outcomes) {
    const { name } = outcome;
    const named = evaluators.includes(name) ? evaluators : [...evaluators, name];
    const record = { round, items: {}, evaluations: [outcome], clients: [] };
    const row = flattenRow(record, { types: [], evaluators: named, declared });
    faults.push(...row.faults);
    const onClients = clientsPrefix(name, name === named[0]);
    for (const [column, { evaluator }] of known) {
      // What clients found cannot be found again: their models are gone.
      if (evaluator === name && !column.startsWith(onClients)) cells.set(column, "");
    }
    for (const [column, text] of row.cells) {
      const owner = (columns.get(column) ?? known.get(column))?.evaluator ?? name;
      if (owner !== name) {
        faults.push(
          `The column "${column}" is the evaluator "${owner}"'s: what "${name}" measured for it is left out. Give its table another name.`,
        );
        continue;
      }
      cells.set(column, text);
      columns.set(column, mergedDescription(known.get(column), row.columns.get(column)!));
    }
  }
  return { cells, columns, faults };
}
