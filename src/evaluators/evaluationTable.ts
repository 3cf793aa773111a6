import type { z } from "zod";
import { columnName, ElenchusError, optionFaults } from "../base/index.js";
import { evaluationSchema } from "../config/schema/evaluation.js";
import { isPlainObject } from "./jsonCopy.js";

/** One `[evaluation]` table with the defaults of the common keys filled in and its own options as written. */
export type EvaluationTable = Readonly<z.output<typeof evaluationSchema> & { name: string }> &
  Readonly<Record<string, unknown>>;

/** The keys that every table understands; all others are its evaluator's options. */
export const COMMON_KEYS: ReadonlySet<string> = new Set(Object.keys(evaluationSchema.shape));

/** One table as it was found. A fault in it is a failure of its evaluator, governed by `failOnError`. */
export interface TableEntry {
  /** Place in the list, from 0. Metrics of the first table have bare columns. */
  readonly index: number;
  readonly type: string;
  readonly name: string;
  readonly failOnError: boolean;
  /** Undefined where the table has a fault. */
  readonly table: EvaluationTable | undefined;
  readonly fault: ElenchusError | undefined;
}

/**
 * The tables of `config.evaluation`: one table, a list of them, or none. A table without a usable `type`
 * counts as none.
 */
export function tableEntries(config: unknown): TableEntry[] {
  const evaluation: unknown = (config as { evaluation?: unknown } | null | undefined)?.evaluation;
  const tables = (Array.isArray(evaluation) ? evaluation : [evaluation]).filter(hasType);
  const columns = tables.map((table) => columnName(nameOf(table)));

  return tables.map((written, index) => {
    const { type } = written;
    const name = nameOf(written);
    const head = { index, type, name, failOnError: written.fail_on_error === true };
    const parsed = evaluationSchema.safeParse(written);
    if (!parsed.success) {
      const faults = optionFaults(parsed.error, written, { schema: evaluationSchema });
      return { ...head, table: undefined, fault: bad(name, faults.join("; ")) };
    }
    const column = columns[index]!;
    if (column === "") {
      const fault = bad(name, "nothing of its name is left for a column; give it a name with letters");
      return { ...head, table: undefined, fault };
    }
    if (columns.indexOf(column) !== columns.lastIndexOf(column)) {
      const fault = bad(name, `another table's columns are evaluation_${column}_... too; give each a name`);
      return { ...head, table: undefined, fault };
    }
    return { ...head, table: { ...written, ...parsed.data, name }, fault: undefined };
  });
}

/**
 * The tables of `config.evaluation` with their defaults.
 * @throws EVALUATION_CONFIG for the first table that has a fault
 */
export function evaluationTables(config: unknown): EvaluationTable[] {
  return tableEntries(config).map(({ table, fault }) => {
    if (fault) throw fault;
    return table!;
  });
}

function hasType(table: unknown): table is Record<string, unknown> & { type: string } {
  return isPlainObject(table) && typeof table.type === "string" && table.type.trim() !== "";
}

function nameOf(table: Record<string, unknown> & { type: string }): string {
  return typeof table.name === "string" ? table.name : table.type;
}

function bad(name: string, fault: string): ElenchusError {
  return new ElenchusError("EVALUATION_CONFIG", `The evaluation table "${name}" is not usable: ${fault}.`);
}
