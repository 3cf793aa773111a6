import { silentLogger, systemClock } from "../../base/index.js";
import { type HubEnvironment, hubSettings, listFiles, resolveFiles } from "../../hub/index.js";
import { splitFiles } from "./splitFiles.js";
import { parseSplit, rowsNeeded, sliceRows } from "./splitSlice.js";
import { type PlacedRow, readTable, type TableRow } from "./tableFile.js";

/** Which part of which data set is loaded. */
export interface DatasetRequest {
  /** A folder, or a data set's name on a hub: `owner/name`. */
  readonly name: string;
  /** The data set's configuration: a folder in it. Needed only where it has several. */
  readonly config?: string | undefined;
  /** Default `train`. A part of it may be named: `train[:1000]`, `train[10%:20%]`. */
  readonly split?: string;
  /** Branch, tag or commit. Default `main`. */
  readonly revision?: string | undefined;
  /** Columns that are wanted; those of a parquet file that are not are not read. All when absent. */
  readonly columns?: readonly string[];
}

/** Rows of a data set. */
export interface LoadedDataset {
  readonly rows: readonly TableRow[];
  /** Per row where it stands, for messages. */
  readonly places: readonly string[];
}

/**
 * Loads rows of a data set of parquet, JSON, JSON lines or CSV files, from a folder or a hub. File after file is
 * fetched and read, and no more than the rows asked for need: `train[:100]` of a parquet file reads its first row
 * groups.
 * @param environment the hub; by default as the variables `HF_ENDPOINT`, `HF_TOKEN`, `HF_HUB_OFFLINE`... say
 * @throws DATA_INVALID for a damaged file, naming it and the place, and for a split or configuration that is not
 *   there; HUB_NOT_FOUND and the hub's other errors
 */
export async function loadDataset(
  request: DatasetRequest,
  environment?: HubEnvironment,
): Promise<LoadedDataset> {
  const slice = parseSplit(request.split ?? "train");
  const needed = rowsNeeded(slice) ?? Number.POSITIVE_INFINITY;
  const found: PlacedRow[] = [];
  if (needed > 0) {
    for await (const path of datasetFiles(request, environment)) {
      const left = needed - found.length;
      const range = { ...(Number.isFinite(left) && { rows: left }), columns: request.columns };
      for (const row of await readTable(path, range)) found.push(row);
      if (found.length >= needed) break;
    }
  }
  const rows = sliceRows(found, slice);
  return { rows: rows.map(({ row }) => row), places: rows.map(({ place }) => place) };
}

/**
 * The files that hold a split, in the order of its rows, each fetched when it is asked for. What part of the split is
 * wanted makes no difference here.
 * @throws as `loadDataset`
 */
export async function* datasetFiles(
  request: DatasetRequest,
  environment: HubEnvironment = {
    settings: hubSettings(process.env),
    logger: silentLogger,
    clock: systemClock,
  },
): AsyncGenerator<string> {
  const { name, config, revision, split = "train" } = request;
  const repository = { kind: "dataset" as const, name, ...(revision !== undefined && { revision }) };
  const files = splitFiles(await listFiles(repository, environment), {
    data: name,
    split: parseSplit(split).name,
    config,
  });
  for (const file of files) {
    const { files: paths } = await resolveFiles({ ...repository, files: [file] }, environment);
    yield paths.get(file)!;
  }
}
