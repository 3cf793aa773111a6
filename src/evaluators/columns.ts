import { columnName, ElenchusError } from "../base/index.js";
import type { EvaluationOutcome } from "./evaluationOutcome.js";
import type { TableEntry } from "./evaluationTable.js";

/** Columns that the record fills itself; those beginning `clients_` carry what clients measured. */
const RESERVED = new Set(["status", "primary_value"]);
const RESERVED_PREFIX = "clients_";

/**
 * Which column belongs to which name of which evaluator, so that no two numbers ever share one. One value
 * serves a whole run: a column once taken stays taken.
 */
export class ColumnClaims {
  /** Column without the leading `evaluation_` -> who has it. */
  readonly #owners = new Map<string, string>();
  readonly #several: boolean;

  /** @param entries all tables of the run */
  constructor(entries: readonly TableEntry[]) {
    this.#several = entries.length > 1;
    if (!this.#several) return;
    for (const { name } of entries) {
      for (const own of RESERVED) this.#owners.set(`${columnName(name)}_${own}`, `the ${own} of "${name}"`);
    }
  }

  /**
   * Takes the columns of one evaluator's metrics and details; all or none.
   * @throws RESULT_INVALID where nothing is left of a name, where it is reserved, or where the column is taken
   */
  claim(
    entry: Pick<TableEntry, "index" | "name">,
    result: Pick<EvaluationOutcome, "details"> & Metrics,
  ): void {
    const prefix = this.#several && entry.index > 0 ? `${columnName(entry.name)}_` : "";
    const claimed = new Map<string, string>();
    for (const name of [...Object.keys(result.metrics), ...Object.keys(result.details)]) {
      const own = columnName(name);
      const column = prefix + own;
      const shown = JSON.stringify(name.slice(0, 100));
      if (own === "") throw refused(`nothing of its name ${shown} is left for a column`);
      if (RESERVED.has(own) || own.startsWith(RESERVED_PREFIX) || column.startsWith(RESERVED_PREFIX)) {
        throw refused(`its name ${shown} would take the reserved column evaluation_${column}`);
      }
      const twin = claimed.get(column);
      if (twin !== undefined) throw refused(`${twin} and ${shown} would both take evaluation_${column}`);
      claimed.set(column, shown);
      const owner = this.#owners.get(column);
      if (owner !== undefined && owner !== ownerName(entry)) {
        throw refused(`its name ${shown} would take evaluation_${column}, which belongs to ${owner}`);
      }
    }
    for (const column of claimed.keys()) this.#owners.set(column, ownerName(entry));
  }
}

interface Metrics {
  readonly metrics: Readonly<Record<string, number>>;
}

function ownerName({ name }: Pick<TableEntry, "name">): string {
  return `the evaluator "${name}"`;
}

function refused(found: string): ElenchusError {
  return new ElenchusError(
    "RESULT_INVALID",
    `The evaluation result cannot be recorded: ${found}. Rename the metric, or the table.`,
  );
}
