import { columnName, ownValue } from "../base/index.js";
import type { EvaluationOutcome } from "../evaluators/index.js";
import { cellText } from "./cells.js";
import type { ClientEvaluations, RoundRecord } from "./recordRow.js";

/** What decides the columns of a run before its first row. */
export interface RowLayout {
  /** `results.types`, in order, each once. */
  readonly types: readonly string[];
  /** Names of all evaluators in table order, those not due in a round included. */
  readonly evaluators: readonly string[];
  /** What an evaluator's type declares of its metrics; fills what a result does not say. */
  readonly declared?: ((type: string) => DeclaredMetrics | undefined) | undefined;
}

/** Metrics by name, as an evaluator class declares them. */
export type DeclaredMetrics = Readonly<
  Record<string, { higherIsBetter: boolean; unit?: string | undefined }>
>;

/** What `run.json` says of a column. */
export interface ColumnDescription {
  /** Name of the evaluator; null for an item of the server. */
  evaluator: string | null;
  metric: string;
  higher_is_better: boolean | null;
  unit: string | null;
}

/** A round as cells. */
export interface FlatRow {
  /** In column order: `results.types`, then the evaluators' columns. */
  readonly cells: Map<string, string>;
  readonly columns: Map<string, ColumnDescription>;
  /** Values left out because their column was taken or reserved. None, where evaluators checked their names. */
  readonly faults: string[];
}

/** Stands for the primary metric of an evaluator that has not yet given a result. */
const UNKNOWN_METRIC = "primary_value";

/** Units of the items a server records. */
const ITEM_UNITS = new Map([
  ["elapsed_time", "s"],
  ["processing_time", "s"],
  ["comm_time", "s"],
  ["round_time", "s"],
  ["comm_overhead", "MB"],
  ["round_comm_overhead", "MB"],
]);

/**
 * Turns a round into named cells. With one evaluator: `evaluation_primary_value`, `evaluation_status`, its
 * metrics as `evaluation_<metric>` in their order, then its details. With several, status and primary value
 * carry the evaluator's name, and so do the metrics of every one but the first.
 */
export function flattenRow(record: RoundRecord, layout: RowLayout): FlatRow {
  const row: FlatRow = { cells: new Map(), columns: new Map(), faults: [] };
  for (const type of layout.types) {
    row.cells.set(type, cellText(Object.hasOwn(record.items, type) ? record.items[type] : null));
    row.columns.set(type, itemDescription(type, record));
  }

  const names = evaluatorNames(record, layout);
  const several = names.length > 1;
  const reserved = new Set([
    ...["status", "primary_value"].map((ending) => `evaluation_${ending}`),
    ...names.flatMap((name) => [`${prefixOf(name)}status`, `${prefixOf(name)}primary_value`]),
  ]);
  const taken = new Set<string>();
  const onClients = new Map(record.clientEvaluations?.map((one) => [one.name, one]));

  for (const outcome of record.evaluations) {
    const own = several ? prefixOf(outcome.name) : "evaluation_";
    if (taken.has(`${own}status`)) {
      row.faults.push(
        `The evaluator ${quoted(outcome.name)} has the columns of another one and is left out.`,
      );
      continue;
    }
    const first = outcome.name === names[0];
    addOutcome(row, outcome, {
      own,
      metrics: first ? "evaluation_" : prefixOf(outcome.name),
      reserved,
      taken,
      declared: layout.declared?.(outcome.type),
    });
    const clients = onClients.get(outcome.name);
    if (clients)
      addClients(row, clients, clientsPrefix(outcome.name, first), layout.declared?.(outcome.type));
    onClients.delete(outcome.name);
  }
  // Of an evaluator that did not run on the server in this round.
  for (const [name, clients] of onClients) {
    addClients(row, clients, clientsPrefix(name, name === names[0]), undefined);
  }
  return row;
}

/**
 * What stands in front of a metric over clients.
 * @param first whether the evaluator is that of the first table
 */
export function clientsPrefix(evaluator: string, first: boolean): string {
  return `${first ? "evaluation_" : prefixOf(evaluator)}clients_`;
}

/** What is known of a column after one more round: what was said once stays, what was open may be filled. */
export function mergedDescription(
  before: ColumnDescription | undefined,
  now: ColumnDescription,
): ColumnDescription {
  if (before === undefined || before.metric === UNKNOWN_METRIC) return now;
  if (now.metric === UNKNOWN_METRIC) return before;
  // A column of an evaluator that `results.types` names is a bare item in rounds in which it was not due.
  if (before.evaluator !== null && now.evaluator === null) return before;
  return before.higher_is_better === null ? { ...now, unit: now.unit ?? before.unit } : before;
}

/** The columns that `results.types` names, as a comma string or a list; the default stands for none. */
export function columnTypes(types: string | readonly string[] | undefined): string[] {
  const list = typeof types === "string" ? types.split(",").map((type) => type.trim()) : (types ?? []);
  const named = [...new Set(list)].filter((type) => type !== "");
  return named.length > 0 ? named : ["round", "accuracy", "elapsed_time"];
}

interface Naming {
  /** What stands before `status` and `primary_value`. */
  readonly own: string;
  /** What stands before a metric. */
  readonly metrics: string;
  readonly reserved: ReadonlySet<string>;
  readonly taken: Set<string>;
  readonly declared: DeclaredMetrics | undefined;
}

function addOutcome(row: FlatRow, outcome: EvaluationOutcome, naming: Naming): void {
  const { result, name } = outcome;
  const add = (column: string, value: unknown, description: Omit<ColumnDescription, "evaluator">) => {
    naming.taken.add(column);
    row.cells.set(column, cellText(value));
    row.columns.set(column, { evaluator: name, ...description });
  };
  const describe = (metric: string) => {
    const declared = ownValue(naming.declared, metric);
    const said = ownValue(result?.higher_is_better, metric);
    return {
      metric,
      higher_is_better: said ?? declared?.higherIsBetter ?? null,
      unit: declared?.unit ?? null,
    };
  };
  const addMetric = (metric: string, value: unknown) => {
    const ending = columnName(metric);
    const column = `${naming.metrics}${ending}`;
    if (
      ending === "" ||
      ending.startsWith("clients_") ||
      naming.reserved.has(column) ||
      naming.taken.has(column)
    ) {
      row.faults.push(
        `The metric ${quoted(metric)} of the evaluator ${quoted(name)} is left out: the column "${column}" is taken or reserved.`,
      );
    } else {
      add(column, value, describe(metric));
    }
  };

  const primary = result === null ? null : describe(result.primary_metric);
  add(`${naming.own}primary_value`, result?.primary_value ?? null, {
    metric: primary?.metric ?? UNKNOWN_METRIC,
    higher_is_better: outcome.primaryHigherIsBetter ?? primary?.higher_is_better ?? null,
    unit: primary?.unit ?? null,
  });
  add(`${naming.own}status`, outcome.status, { metric: "status", higher_is_better: null, unit: null });
  for (const values of [result?.metrics ?? {}, outcome.details]) {
    for (const metric of inOrder(Object.keys(values), outcome.order)) addMetric(metric, values[metric]);
  }
}

/** The columns of an evaluator's metrics over clients: the value, exact or a mean, then spread, least and most. */
function addClients(
  row: FlatRow,
  { name, metrics }: ClientEvaluations,
  prefix: string,
  declared: DeclaredMetrics | undefined,
): void {
  for (const { metric, value, exact, std, min, max, higherIsBetter } of metrics) {
    const base = columnName(metric);
    const stem = `${prefix}${base}`;
    const cells = [
      [exact ? stem : `${stem}_mean`, value],
      [`${stem}_std`, std],
      [`${stem}_min`, min],
      [`${stem}_max`, max],
    ] as const;
    // A column that `results.types` names in advance is nobody's yet.
    const twin = cells.find(([column]) => (row.columns.get(column)?.evaluator ?? null) !== null);
    if (base === "" || twin !== undefined) {
      row.faults.push(
        `The metric ${quoted(metric)} of the evaluator ${quoted(name)} over clients is left out: the column "${twin?.[0] ?? stem}" is taken.`,
      );
      continue;
    }
    const known = ownValue(declared, metric);
    for (const [column, cell] of cells) {
      row.cells.set(column, cellText(cell));
      row.columns.set(column, {
        evaluator: name,
        metric,
        higher_is_better: column === `${stem}_std` ? null : (higherIsBetter ?? known?.higherIsBetter ?? null),
        unit: known?.unit ?? null,
      });
    }
  }
}

/** An object has names like integers first, whatever its evaluator meant; the outcome knows better. */
function inOrder(names: readonly string[], order: readonly string[] = []): readonly string[] {
  const present = new Set(names);
  return [...new Set([...order.filter((name) => present.has(name)), ...names])];
}

/** The evaluators of the layout, then any that turn up unannounced. */
function evaluatorNames(record: RoundRecord, layout: RowLayout): string[] {
  return [...new Set([...layout.evaluators, ...record.evaluations.map(({ name }) => name)])];
}

function prefixOf(evaluator: string): string {
  return `evaluation_${columnName(evaluator) || "unnamed"}_`;
}

function itemDescription(item: string, { scalar }: RoundRecord): ColumnDescription {
  const unit = ITEM_UNITS.get(item) ?? null;
  const isScalar = scalar != null && (item === "accuracy" || item === scalar.metric);
  return {
    evaluator: null,
    metric: isScalar ? scalar.metric : item,
    higher_is_better: isScalar ? scalar.higherIsBetter : null,
    unit,
  };
}

function quoted(name: string): string {
  const text = JSON.stringify(name);
  return text.length > 80 ? `${text.slice(0, 80)}..."` : text;
}
