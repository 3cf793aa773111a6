import { createRandom } from "../../base/index.js";
import type { Datasource } from "../dataset.js";
import type { DatasourceRequest } from "../datasourceFactory.js";
import { rowExample } from "./rowExample.js";
import type { PlacedRow } from "./tableFile.js";
import { textDatasource } from "./textDatasource.js";
import type { ExampleOptions, TextOptions } from "./textKeys.js";

/** Rows to train on, and to test on where some are named for it. */
export interface TableParts {
  readonly train: readonly PlacedRow[];
  readonly test: readonly PlacedRow[] | undefined;
  readonly name: string;
}

/**
 * Makes the data sets from rows of tables. Without rows to test on, a share of `validation_fraction` of the others,
 * drawn with `data.random_seed`, at least one, is held out.
 * @throws DATA_INVALID naming the place of a row that does not fit; else as `textDatasource`
 */
export function tableDatasource(
  parts: TableParts,
  options: TextOptions & ExampleOptions,
  request: DatasourceRequest,
): Promise<Datasource> {
  const { train, test } = parts.test === undefined ? holdOut(parts.train, options) : parts;
  const examples = (rows: readonly PlacedRow[] = []) => rows.map((row) => rowExample(row, options));
  return textDatasource(
    {
      train: examples(train),
      test: examples(test),
      name: parts.name,
      labels: options.preprocessing_mode === "text" ? "all" : options.label_strategy,
    },
    request,
  );
}

function holdOut(
  rows: readonly PlacedRow[],
  { validation_fraction, random_seed }: TextOptions,
): { train: PlacedRow[]; test: PlacedRow[] } {
  const count = Math.min(Math.max(1, Math.round(rows.length * validation_fraction)), rows.length - 1);
  if (count < 1) return { train: [...rows], test: [] };
  const seed = typeof random_seed === "number" ? random_seed : 1;
  const held = new Set(createRandom(seed, "text", "holdout").sample(rows.length, count));
  return {
    train: rows.filter((_, row) => !held.has(row)),
    test: rows.filter((_, row) => held.has(row)),
  };
}
