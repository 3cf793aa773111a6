import { ElenchusError } from "../../base/index.js";
import type { DatasetDefinition } from "./datasetDefinition.js";
import type { DatasetSurroundings } from "./datasetOf.js";
import { requireWebAddress } from "./downloadTable.js";
import { requireRepository } from "./huggingfaceDataset.js";
import { localFile } from "./localFile.js";
import { publicAddress } from "./publicAddress.js";

/**
 * Refuses at once what would be refused when the rows are read. What is only not there yet is not refused.
 * @throws ADDRESS_REFUSED for a private address, a file or a folder that may not be read
 */
export async function requireReachable(
  definition: DatasetDefinition,
  { download = {}, files = "nowhere" }: DatasetSurroundings = {},
): Promise<void> {
  try {
    if (definition.type === "huggingface") {
      if (files !== "anywhere") await requireRepository(definition.dataset_path);
    } else if (definition.type === "custom" && !/^data:/i.test(definition.url)) {
      if (!/^https?:/i.test(definition.url)) await localFile(definition.url, files);
      else {
        const { hostname } = requireWebAddress(definition.url);
        const { allowPrivate = false, resolver } = download;
        await publicAddress(hostname, { allowPrivate, ...(resolver && { resolver }) });
      }
    }
  } catch (error) {
    if (error instanceof ElenchusError && error.code === "ADDRESS_REFUSED") throw error;
  }
}
