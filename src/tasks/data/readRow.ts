import { z } from "zod";
import { ElenchusError, optionFaults } from "../../base/index.js";
import type { TableRow } from "../../data/index.js";

/** Which row is read, for messages. */
export interface RowPlace {
  readonly task: string;
  readonly split: "evaluated" | "examples";
  readonly row: number;
}

/**
 * A row as a task needs it.
 * @throws DATA_INVALID naming the row, the column and what was expected of it
 */
export function readRow<Row>(schema: z.ZodType<Row>, row: TableRow, place: RowPlace): Row {
  const { data, error } = schema.safeParse(row);
  if (error === undefined) return data as Row;
  const { task, split, row: index } = place;
  const faults = optionFaults(error, row, { schema });
  throw new ElenchusError(
    "DATA_INVALID",
    `Row ${index} of the ${split === "evaluated" ? "evaluated split" : "split with the examples"} does not fit ${task}: ${faults.join("; ")}. Its columns are ${Object.keys(row).join(", ") || "none"}; check that these are the rows of this task, and field names in sources.json.`,
    { details: { task, row: index } },
  );
}

/** Text columns of tables that only know texts, CSV above all, hold lists and objects as JSON. */
function parsed(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** A list of texts. */
export const texts = z.preprocess(parsed, z.array(z.string()));

/** A whole number, as a number or as a text. */
export const wholeNumber = z.preprocess(
  (value) => (typeof value === "string" && /^\s*-?\d+\s*$/.test(value) ? Number(value) : value),
  z.int(),
);

/** A label as hubs have it: a number, a truth value, or a text; empty where it is kept secret, which reads as -1. */
export const label = z.preprocess((value) => {
  if (typeof value === "boolean") return Number(value);
  return value === "" || value === null || value === undefined ? -1 : value;
}, wholeNumber);

/** Choices with their names: `{ text: [...], label: [...] }`. */
export const namedChoices = z.preprocess(parsed, z.object({ text: texts, label: texts }));

/** An object, or its JSON. */
export function object<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.preprocess(parsed, z.object(shape));
}

/** A list of numbers, or its JSON. */
export const numbers = z.preprocess(parsed, z.array(wholeNumber));
