import type { HubEnvironment } from "../../hub/index.js";
import type { BaseDataset, DictSample } from "./baseDataset.js";
import { CustomDataset } from "./customDataset.js";
import { type DatasetDefinition, datasetDefinitionSchema } from "./datasetDefinition.js";
import type { DownloadCache } from "./downloadCache.js";
import type { DownloadLimits } from "./downloadTable.js";
import { HuggingfaceDataset } from "./huggingfaceDataset.js";
import type { FileAccess } from "./localFile.js";
import { RowsDataset } from "./rowsDataset.js";

/** What data sets may reach beyond their definitions. */
export interface DatasetSurroundings {
  /** Default: as the environment says. */
  readonly hub?: HubEnvironment | undefined;
  readonly download?: DownloadLimits | undefined;
  /** Where fetched files are kept. Default: nowhere. */
  readonly cache?: DownloadCache | undefined;
  /** Files of this machine, folders of a hub's layout among them. Default `nowhere`. */
  readonly files?: FileAccess | undefined;
}

/** The data set that a definition describes. Nothing is fetched before it is used. */
export function datasetOf(
  definition: DatasetDefinition,
  { hub, download, cache, files = "nowhere" }: DatasetSurroundings = {},
): BaseDataset<DictSample> {
  if (definition.type === "rows") return new RowsDataset(definition);
  if (definition.type === "custom") return new CustomDataset(definition, { download, cache, files });
  return new HuggingfaceDataset(definition, { hub, localFolders: files === "anywhere" });
}

/**
 * The definition that an address stands for: `huggingface://datasets/OWNER/NAME?split=S&name=CONFIG`, or anything that
 * a file's `url` may be.
 * @throws a ZodError for an address that makes no definition
 */
export function definitionOfUri(identifier: string, uri: string): DatasetDefinition {
  if (!/^huggingface:/i.test(uri))
    return datasetDefinitionSchema.parse({ type: "custom", identifier, url: uri });
  const [, place = "", query = ""] = /^huggingface:(?:\/\/[^/?]*)?\/*([^?]*)\??(.*)$/is.exec(uri) ?? [];
  // The first value of a key counts, and what is not known is refused.
  const kwargs = Object.fromEntries([...new URLSearchParams(query)].reverse());
  return datasetDefinitionSchema.parse({
    type: "huggingface",
    identifier,
    dataset_path: decodeURIComponent(place),
    kwargs,
  });
}
