import { ElenchusError } from "../base/index.js";
import type { ScorerRow } from "./scorer.js";

/** The columns that nearly every scorer reads. */
export const ANSWER_COLUMNS = ["generated_answer", "expected_answer"] as const;

/** @throws ROW_INVALID where the column is missing or holds no text */
export function textOf(row: ScorerRow, column: string): string {
  const value = row[column];
  if (typeof value === "string") return value;
  throw unfit(column, value, "a text");
}

/** One text, or a list of at least one. @throws ROW_INVALID */
export function textsOf(row: ScorerRow, column: string): string[] {
  const value = row[column];
  const list = Array.isArray(value) ? value : [value];
  if (list.length === 0) {
    throw new ElenchusError(
      "ROW_INVALID",
      `${column} is an empty list: expected at least one text, as nothing can equal none.`,
    );
  }
  return list.map((one) => {
    if (typeof one === "string") return one;
    throw unfit(column, one, "a text");
  });
}

/** A finite number, or the text of one. @throws ROW_INVALID */
export function numberOf(row: ScorerRow, column: string): number {
  const value = row[column];
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number === "bigint") return Number(number);
  if (typeof number === "number" && Number.isFinite(number)) return number;
  throw unfit(column, value, "a number");
}

/** The value of a column that may be JSON text, as in tables that have only text. @throws ROW_INVALID */
export function jsonOf(row: ScorerRow, column: string): unknown {
  const value = row[column];
  if (value === undefined) throw unfit(column, value, "JSON");
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    throw unfit(column, value, "JSON text");
  }
}

/** A value that must be there, whatever it is. @throws ROW_INVALID */
export function presentValue(row: ScorerRow, column: string): unknown {
  const value = row[column];
  if (value === undefined) throw unfit(column, value, "a value");
  return value;
}

/** The error of a row whose column holds something else. */
export function unfit(column: string, value: unknown, expected: string): ElenchusError {
  const found = value === undefined ? "is missing" : `is ${shown(value)}`;
  return new ElenchusError("ROW_INVALID", `${column} ${found}: expected ${expected}.`);
}

function shown(value: unknown): string {
  if (typeof value === "bigint") return String(value);
  return JSON.stringify(value)?.slice(0, 60) ?? String(value);
}
