import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { ElenchusError, messageOf, parseOptions } from "../../base/index.js";
import type { Datasource } from "../dataset.js";
import type { DatasourceRequest } from "../datasourceFactory.js";
import { columnsRead } from "./rowExample.js";
import { jsonlOptions } from "./sourceOptions.js";
import { tableDatasource } from "./tableDatasource.js";
import { type PlacedRow, readTable } from "./tableFile.js";

/**
 * Tables of your own: texts, prompts with completions, or conversations, one per row.
 * @throws DATA_INVALID naming the file and line of what cannot be read
 */
export async function jsonl(request: DatasourceRequest): Promise<Datasource> {
  const options = parseOptions(jsonlOptions, request.options, "[data] of jsonl");
  const columns = columnsRead(options);
  const read = (key: string, paths: readonly string[]) => readTables(request.dataPath, key, paths, columns);
  return tableDatasource(
    {
      train: await read("train_path", options.train_path),
      test: options.test_path && (await read("test_path", options.test_path)),
      name: options.train_path.join(", "),
    },
    options,
    request,
  );
}

async function readTables(
  dataPath: string,
  key: string,
  paths: readonly string[],
  columns: readonly string[],
): Promise<PlacedRow[]> {
  const rows: PlacedRow[] = [];
  for (const path of paths) {
    const file = resolve(dataPath, path);
    await stat(file).catch((error: unknown) => {
      throw new ElenchusError(
        "DATA_INVALID",
        `data.${key} names ${file}, which cannot be read: ${messageOf(error)}. Expected a table under data.data_path.`,
        { cause: error, details: { path: ["data", key] } },
      );
    });
    for (const row of await readTable(file, { columns })) rows.push(row);
  }
  return rows;
}
