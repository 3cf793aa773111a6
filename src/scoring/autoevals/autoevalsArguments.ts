import { jsonOf, numberOf, unfit } from "../columns.js";
import type { ScorerRow } from "../scorer.js";
import type { AutoevalsEntry } from "./autoevalsCatalogue.js";

/** Names of the usual columns in autoevals. */
const NAMES: Readonly<Record<string, string>> = {
  generated_answer: "output",
  expected_answer: "expected",
  input_query: "input",
};

/**
 * The arguments that a row gives a scorer of autoevals; those of the call stand in for columns that the row lacks.
 * @throws ROW_INVALID for a column that it cannot do without
 */
export function rowArguments(
  row: ScorerRow,
  { columns, reads, factory }: AutoevalsEntry,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  // Templates of a classifier may name any column.
  const found: Record<string, unknown> = { ...(factory && row), ...given };
  for (const column of ["generated_answer", "expected_answer", "input_query", "context", ...OPTIONAL]) {
    const name = NAMES[column] ?? column;
    const isAnswer = column === "generated_answer" || column === "expected_answer";
    if (row[column] !== undefined && row[column] !== null) {
      found[name] = isAnswer ? read(row, column, reads) : row[column];
    } else if (column === "generated_answer" || (columns.includes(column) && found[name] === undefined)) {
      throw unfit(column, undefined, "a value");
    }
  }
  return found;
}

/** Columns of single scorers. */
const OPTIONAL = ["instructions", "criteria", "language", "schema"];

function read(row: ScorerRow, column: string, reads: AutoevalsEntry["reads"]): unknown {
  if (reads === "number") return numberOf(row, column);
  if (reads === "list") {
    const list = jsonOf(row, column);
    if (Array.isArray(list) && list.every((one) => typeof one === "string")) return list;
    throw unfit(column, row[column], "a list of texts, or JSON text of one");
  }
  const value = row[column];
  if (reads === "any" || typeof value === "string") return value;
  if (Array.isArray(value) && column === "expected_answer" && value.length > 0) return value.join("\n");
  throw unfit(column, value, "a text");
}
