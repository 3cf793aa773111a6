import { stat } from "node:fs/promises";
import { ElenchusError, silentLogger, systemClock } from "../../base/index.js";
import {
  type DatasetRequest,
  datasetFiles,
  loadDataset,
  type TableRow,
  threadedTable,
} from "../../data/index.js";
import { type HubEnvironment, hubSettings } from "../../hub/index.js";
import { BaseDataset, type DictSample, type RowSource } from "./baseDataset.js";
import type { HuggingfaceDatasetDefinition } from "./datasetDefinition.js";
import { renamedRows } from "./renamedRows.js";

/** Where a hub's data sets come from. */
export interface HuggingfaceSurroundings {
  /** Default: as the environment says. */
  readonly hub?: HubEnvironment | undefined;
  /** Whether a folder of this machine may stand for a data set. */
  readonly localFolders: boolean;
}

/** Rows of a data set on a hub, or of a folder that is laid out like one. */
export class HuggingfaceDataset extends BaseDataset<DictSample> {
  readonly #definition: HuggingfaceDatasetDefinition;
  readonly #surroundings: HuggingfaceSurroundings;

  constructor(definition: HuggingfaceDatasetDefinition, surroundings: HuggingfaceSurroundings) {
    super(definition.identifier);
    this.#definition = definition;
    this.#surroundings = surroundings;
  }

  protected async source(signal: AbortSignal | undefined): Promise<RowSource<DictSample>> {
    const { dataset_path: name, dataset_name, kwargs, rename_columns_map: renames } = this.#definition;
    const { localFolders, hub = ownHub() } = this.#surroundings;
    if (!localFolders) await requireRepository(name);
    const request = {
      name,
      config: dataset_name ?? kwargs.name,
      split: kwargs.split,
      revision: kwargs.revision,
    };
    const rows = await readerOf(request, { ...hub, ...(signal !== undefined && { signal }) }, signal);
    return { rows: () => renamedRows(rows(), renames) };
  }
}

function ownHub(): HubEnvironment {
  return { settings: hubSettings(process.env), logger: silentLogger, clock: systemClock };
}

/** Of a whole split no more is held than is being read; a part of one, `test[:100]`, is loaded. */
async function readerOf(
  request: DatasetRequest & { split: string },
  hub: HubEnvironment,
  signal: AbortSignal | undefined,
): Promise<() => Iterable<TableRow> | AsyncIterable<TableRow>> {
  if (request.split.includes("[")) {
    const { rows } = await loadDataset(request, hub);
    return () => rows;
  }
  const files: string[] = [];
  for await (const file of datasetFiles(request, hub)) files.push(file);
  return async function* () {
    for (const file of files) for await (const { row } of threadedTable(file, { signal })) yield row;
  };
}

/** @throws ADDRESS_REFUSED for what is no name of a repository, or a folder here */
export async function requireRepository(name: string): Promise<void> {
  const local = await stat(name).then(
    () => true,
    () => false,
  );
  if (!local && /^[\w-][\w.-]*(\/[\w-][\w.-]*)?$/.test(name)) return;
  throw new ElenchusError(
    "ADDRESS_REFUSED",
    `${JSON.stringify(name)} is no data set of a hub. Expected OWNER/NAME; folders of this machine are not read here.`,
  );
}
