import { ElenchusError, messageOf } from "../../base/index.js";

/** A row of a sheet, and where it stands. */
export interface SheetRow {
  readonly row: Readonly<Record<string, unknown>>;
  readonly place: string;
}

/**
 * The rows of the first sheet of a workbook, its first row the header. Numbers and truth values are such, dates are
 * texts in ISO 8601, empty cells null; rows without any value and columns without a name are left out.
 * @throws DATA_INVALID for another kind of file, or two columns of one name
 */
export async function* xlsxRows(file: string, rows = Number.POSITIVE_INFINITY): AsyncGenerator<SheetRow> {
  const { readSheet } = await import("read-excel-file/node");
  let cells: readonly (readonly unknown[])[];
  try {
    // Blanks in a cell may be part of an answer.
    cells = await readSheet(file, 1, { trim: false });
  } catch (error) {
    throw invalid(file, messageOf(error), "a workbook of Excel 2007 or later (.xlsx)");
  }
  const [header = [], ...body] = cells;
  const columns = header.map((name) => (name === null ? "" : String(name).trim()));
  const twice = columns.find((name, place) => name !== "" && columns.indexOf(name) !== place);
  if (twice !== undefined) throw invalid(file, `two columns are called "${twice}"`, "a name for each");
  let found = 0;
  for (const [index, values] of body.entries()) {
    if (found >= rows) return;
    if (values.every((value) => value === null)) continue;
    found += 1;
    const named = columns.flatMap((name, place) => (name === "" ? [] : [[name, plain(values[place])]]));
    yield { row: Object.fromEntries(named), place: `${file}, row ${index + 2}` };
  }
}

function plain(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : (value ?? null);
}

function invalid(file: string, found: string, expected: string): ElenchusError {
  return new ElenchusError("DATA_INVALID", `${file} cannot be read: ${found}. Expected ${expected}.`);
}
