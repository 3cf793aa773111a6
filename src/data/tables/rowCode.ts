import type { Modality } from "../dataset.js";
import {
  type ColumnCode,
  type ColumnRequest,
  categoryCode,
  isNumeric,
  MOST_CATEGORIES,
  numericCode,
} from "./columnCode.js";
import { type CsvRow, type CsvTable, invalidTable } from "./csvTable.js";
import type { TableColumns } from "./tableColumns.js";
import type { CsvOptions } from "./tableOptions.js";

/** How rows become inputs. */
export interface RowCode {
  /** Inputs of a row: those of its columns one after the other. */
  readonly width: number;
  readonly modalities: readonly Modality[] | undefined;
  /** @throws DATA_INVALID naming line and column of a value that does not fit */
  inputsOf(table: CsvTable, rows: readonly CsvRow[]): Float32Array;
}

/** Learns from the training rows how each column is to be coded. @throws DATA_INVALID for one with too many categories */
export function rowCode(
  table: CsvTable,
  rows: readonly CsvRow[],
  columns: TableColumns,
  { missing, standardise }: CsvOptions,
): RowCode {
  const absent = new Set(missing);
  const isMissing = (value: string) => absent.has(value.trim());
  const codes = columns.features.map((place): ColumnCode => {
    const request: ColumnRequest = { rows, place, isMissing, standardise };
    if (!columns.categorical.has(place) && isNumeric(request)) return numericCode(request);
    const code = categoryCode(request);
    if (code.width <= MOST_CATEGORIES) return code;
    throw invalidTable(
      table.file,
      `the column ${table.columns[place]} has ${code.width} different texts`,
      `at most ${MOST_CATEGORIES} categories, or its name in data.ignore`,
      "ignore",
    );
  });
  const starts = codes.map(() => 0);
  let width = 0;
  for (const [index, code] of codes.entries()) {
    starts[index] = width;
    width += code.width;
  }
  if (width === 0) throw invalidTable(table.file, "no column has a value", "something to learn from");
  const placesOf = (place: number) => {
    const index = columns.features.indexOf(place);
    return Array.from({ length: codes[index]!.width }, (_, offset) => starts[index]! + offset);
  };
  return {
    width,
    modalities: columns.modalities?.map(({ name, features }) => ({
      name,
      places: Int32Array.from(features.flatMap(placesOf)),
    })),
    inputsOf(one, of) {
      const inputs = new Float32Array(of.length * width);
      for (const [row, { values, line }] of of.entries()) {
        for (const [index, place] of columns.features.entries()) {
          const value = values[place]!;
          const start = row * width + starts[index]!;
          const expected = codes[index]!.write(value, isMissing(value), inputs, start);
          if (expected === undefined) continue;
          const found = `${one.columns[place]} is ${JSON.stringify(value)}`;
          throw invalidTable(`${one.file}:${line}`, found, expected);
        }
      }
      return inputs;
    },
  };
}
