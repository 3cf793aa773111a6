import { ElenchusError, inShort } from "../../base/index.js";
import type { TableRow } from "../../data/index.js";
import type { DictSample } from "./baseDataset.js";

/**
 * Rows with columns under other names. A column that already has such a name gives way. Whole numbers that a double
 * does not hold become texts: rows are handed on and stored as JSON.
 * @param renames from the data's name to the new one
 * @throws DATA_INVALID, at the end, for a column that no row has
 */
export async function* renamedRows(
  rows: Iterable<TableRow> | AsyncIterable<TableRow>,
  renames: Readonly<Record<string, string>>,
): AsyncGenerator<DictSample> {
  const names = new Map(Object.entries(renames));
  const targets = new Set(names.values());
  const missing = new Set(names.keys());
  let columns: string[] | undefined;
  for await (const read of rows) {
    const row = plain(read) as TableRow;
    columns ??= Object.keys(row);
    if (names.size === 0) {
      yield { data: row };
      continue;
    }
    for (const name of missing) if (Object.hasOwn(row, name)) missing.delete(name);
    const entries = Object.entries(row)
      .filter(([column]) => names.has(column) || !targets.has(column))
      .map(([column, value]) => [names.get(column) ?? column, value]);
    yield { data: Object.fromEntries(entries) };
  }
  if (columns === undefined || missing.size === 0) return;
  throw new ElenchusError(
    "DATA_INVALID",
    `rename_columns_map names ${[...missing].join(", ")}, which no row has. The columns are ${inShort(columns)}.`,
    { details: { missing: [...missing] } },
  );
}

function plain(value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) {
    return value;
  }
  return Object.fromEntries(Object.entries(value).map(([name, own]) => [name, plain(own)]));
}
