import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { ElenchusError, parseOptions } from "../../base/index.js";
import type { Datasource } from "../dataset.js";
import type { DatasourceRequest } from "../datasourceFactory.js";
import { loadDataset } from "./loadDataset.js";
import { columnsRead } from "./rowExample.js";
import { huggingFaceOptions } from "./sourceOptions.js";
import { tableDatasource } from "./tableDatasource.js";
import type { PlacedRow } from "./tableFile.js";
import { atKey, hubOf } from "./textDatasource.js";

/**
 * A data set of a hub in parquet, JSON lines or CSV. Parts of a split (`train[:1000]`) are read without the rest.
 * @throws as `loadDataset`
 */
export async function huggingFace(request: DatasourceRequest): Promise<Datasource> {
  const options = parseOptions(huggingFaceOptions, request.options, "[data] of HuggingFace");
  const { dataset_name, dataset_config, dataset_revision, train_split, validation_split } = options;
  const own = resolve(request.dataPath, dataset_name);
  const place = (await isFolder(own)) ? own : dataset_name;
  const load = async (split: string, key: string): Promise<PlacedRow[]> => {
    const columns = columnsRead(options);
    const { rows, places } = await loadDataset(
      { name: place, config: dataset_config, revision: dataset_revision, split, columns },
      hubOf(request),
    ).catch((error: unknown) => {
      throw atKey(error, ["data", keyAtFault(error, key)]);
    });
    return rows.map((row, index) => ({ row, place: places[index]! }));
  };
  return tableDatasource(
    {
      train: await load(train_split, "train_split"),
      test: validation_split === undefined ? undefined : await load(validation_split, "validation_split"),
      name: dataset_name,
    },
    options,
    request,
  );
}

/** @param split the key that names the split */
function keyAtFault(error: unknown, split: string): string {
  const field = error instanceof ElenchusError ? error.details.field : undefined;
  if (field === "split") return split;
  return field === "config" ? "dataset_config" : "dataset_name";
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
}
