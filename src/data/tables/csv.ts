import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { createRandom, messageOf, parseOptions } from "../../base/index.js";
import type { Datasource } from "../dataset.js";
import type { DatasourceRequest } from "../datasourceFactory.js";
import { keptDatasource } from "../rows/keptDatasource.js";
import type { StoredRows } from "../rows/rowsFile.js";
import { type CsvRow, type CsvTable, invalidTable, readCsv } from "./csvTable.js";
import { classCode, type LabelCode, numberCode } from "./labelCode.js";
import { rowCode } from "./rowCode.js";
import { type TableColumns, tableColumns } from "./tableColumns.js";
import { type CsvOptions, csvOptions } from "./tableOptions.js";

/**
 * A table of your own, each row a label and what to learn from. Everything that is learnt from values (categories, means,
 * deviations, classes) is learnt from the training rows.
 * @throws DATA_INVALID naming file, line and column of what does not fit, with the key at fault
 */
export async function csv(request: DatasourceRequest): Promise<Datasource> {
  const options = parseOptions(csvOptions, request.options, "[data] of CSV");
  const seed = typeof request.options.random_seed === "number" ? request.options.random_seed : 1;
  const trainFile = await fileOf(request, "train_path", options.train_path);
  const testFile =
    options.test_path === undefined ? undefined : await fileOf(request, "test_path", options.test_path);
  const { train_path, test_path, ...deciding } = csvKeys(options);
  return keptDatasource(
    {
      dataPath: request.dataPath,
      name: "CSV",
      sources: testFile === undefined ? [trainFile] : [trainFile, testFile],
      key: ["csv", 1, deciding, testFile === undefined ? seed : null],
    },
    async () => {
      const table = await readCsv(trainFile, options);
      const columns = tableColumns(table.columns, options);
      const other = testFile === undefined ? table : await readCsv(testFile, options);
      checkSameColumns(table, other);
      const usable = (one: CsvTable) => usableRows(one, columns, options);
      const parts =
        other === table
          ? holdOut(table, usable(table), options.validation_fraction, seed)
          : { train: usable(table), test: usable(other) };
      const labels =
        options.label_type === "number"
          ? numberCode(columns.label)
          : // A class may be in held out rows alone; its rows are still of this table.
            classCode(table, other === table ? usable(table) : parts.train, columns.label);
      const code = rowCode(table, parts.train, columns, options);
      const rows = (one: CsvTable, of: readonly CsvRow[]): StoredRows => ({
        numbers: code.inputsOf(one, of),
        inputShape: [code.width],
        ...labelFacts(labels, one, of),
        ...(columns.owner !== undefined && { groups: ownersOf(of, columns.owner) }),
        ...(code.modalities && { modalities: code.modalities }),
      });
      return { train: rows(table, parts.train), test: rows(other, parts.test) };
    },
  );
}

/** The keys that this source declares, of all that stand in the table. */
function csvKeys(options: CsvOptions): CsvOptions {
  const keys = Object.keys(csvOptions.shape) as (keyof CsvOptions)[];
  return Object.fromEntries(keys.map((key) => [key, options[key]])) as CsvOptions;
}

async function fileOf({ dataPath }: DatasourceRequest, key: string, path: string): Promise<string> {
  const file = resolve(dataPath, path);
  const found = await stat(file).catch((error: unknown) => {
    throw invalidTable(
      `data.${key} = ${JSON.stringify(path)}`,
      messageOf(error),
      `a table under ${dataPath}`,
      key,
    );
  });
  if (found.isFile()) return file;
  throw invalidTable(`data.${key} = ${JSON.stringify(path)}`, `${file} is no file`, "a table", key);
}

function checkSameColumns(table: CsvTable, other: CsvTable): void {
  const place = table.columns.findIndex((name, index) => name !== other.columns[index]);
  if (place < 0 && table.columns.length === other.columns.length) return;
  throw invalidTable(
    other.file,
    `its columns are ${other.columns.join(", ")}`,
    `those of ${table.file}: ${table.columns.join(", ")}`,
    "test_path",
  );
}

/** Rows with a label; without those that miss a value, where such rows are to be dropped. */
function usableRows(table: CsvTable, columns: TableColumns, options: CsvOptions): readonly CsvRow[] {
  const missing = new Set(options.missing);
  const read = [columns.label, ...columns.features];
  const rows = table.rows.filter(({ values, line }) => {
    const place = read.find((each) => missing.has(values[each]!.trim()));
    if (place === undefined) return true;
    if (options.missing_values === "error" || place === columns.label) {
      // Without a label there is nothing to impute it from: only `drop` may leave the row out.
      if (options.missing_values === "drop") return false;
      throw invalidTable(
        `${table.file}:${line}`,
        `${table.columns[place]} is missing`,
        `a value, or data.missing_values = ${place === columns.label ? '"drop"' : '"impute" or "drop"'}`,
        "missing_values",
      );
    }
    return options.missing_values === "impute";
  });
  if (rows.length > 0) return rows;
  throw invalidTable(
    table.file,
    "every row misses a value",
    'other data, or data.missing_values = "impute"',
    "missing_values",
  );
}

/** At least one row on either side. Both in the order of the file. */
function holdOut(
  { file }: CsvTable,
  rows: readonly CsvRow[],
  fraction: number,
  seed: number,
): { train: CsvRow[]; test: CsvRow[] } {
  if (rows.length < 2)
    throw invalidTable(file, `it has ${rows.length} row`, "two at least, to train and to test");
  const count = Math.min(Math.max(1, Math.round(rows.length * fraction)), rows.length - 1);
  const held = new Set(createRandom(seed, "csv", "holdout").sample(rows.length, count));
  return { train: rows.filter((_, row) => !held.has(row)), test: rows.filter((_, row) => held.has(row)) };
}

function labelFacts(code: LabelCode, table: CsvTable, rows: readonly CsvRow[]) {
  return {
    classes: code.classes,
    labels: code.labelsOf(table, rows),
    ...(code.names && { classNames: code.names }),
  };
}

/** Owners in the order in which they come. */
function ownersOf(rows: readonly CsvRow[], place: number) {
  const owners = new Map<string, number>();
  const of = Int32Array.from(rows, ({ values }) => {
    const name = values[place]!.trim();
    const known = owners.get(name);
    if (known !== undefined) return known;
    owners.set(name, owners.size);
    return owners.size - 1;
  });
  return { names: [...owners.keys()], of };
}
