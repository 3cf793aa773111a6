import { numberOf } from "./columnCode.js";
import { type CsvRow, type CsvTable, invalidTable } from "./csvTable.js";

/** What labels mean. */
export interface LabelCode {
  /** 0 for regression. */
  readonly classes: number;
  readonly names: readonly string[] | undefined;
  /** @throws DATA_INVALID naming the line of a label that is none */
  labelsOf(table: CsvTable, rows: readonly CsvRow[]): Int32Array | Float32Array;
}

/** Classes in the order of their numbers where all are numbers, else of their names. */
export function classCode(table: CsvTable, rows: readonly CsvRow[], place: number): LabelCode {
  const names = [...new Set(rows.map(({ values }) => values[place]!.trim()))];
  if (names.every((name) => Number.isFinite(numberOf(name)))) names.sort((a, b) => Number(a) - Number(b));
  else names.sort();
  const indices = new Map(names.map((name, index) => [name, index]));
  if (names.length > MOST_CLASSES) {
    throw invalidTable(
      table.file,
      `the label ${table.columns[place]} has ${names.length} different values`,
      `at most ${MOST_CLASSES} classes, or data.label_type = "number"`,
      "label",
    );
  }
  return {
    classes: names.length,
    names,
    labelsOf: ({ file, columns }, labelled) =>
      Int32Array.from(labelled, ({ values, line }) => {
        const index = indices.get(values[place]!.trim());
        if (index !== undefined) return index;
        const known = names.length > 8 ? `${names.slice(0, 8).join(", ")}, ...` : names.join(", ");
        throw invalidTable(
          `${file}:${line}`,
          `the label ${columns[place]} is ${JSON.stringify(values[place])}`,
          `a class of the training rows: ${known}`,
          "label",
        );
      }),
  };
}

const MOST_CLASSES = 10_000;

export function numberCode(place: number): LabelCode {
  return {
    classes: 0,
    names: undefined,
    labelsOf: ({ file, columns }, labelled) =>
      Float32Array.from(labelled, ({ values, line }) => {
        const number = Math.fround(numberOf(values[place]!));
        if (Number.isFinite(number)) return number;
        throw invalidTable(
          `${file}:${line}`,
          `the label ${columns[place]} is ${JSON.stringify(values[place])}`,
          "a number",
          "label",
        );
      }),
  };
}
