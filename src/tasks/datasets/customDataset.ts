import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TableRow, threadedTable } from "../../data/index.js";
import { BaseDataset, type DictSample, type RowSource } from "./baseDataset.js";
import type { CustomDatasetDefinition } from "./datasetDefinition.js";
import { decodeDataUrl } from "./dataUrl.js";
import { cachedDownload, type DownloadCache } from "./downloadCache.js";
import { type DownloadLimits, downloadTable } from "./downloadTable.js";
import { type FileAccess, localFile } from "./localFile.js";
import { renamedRows } from "./renamedRows.js";
import { typedFile } from "./typedFile.js";

/** What a definition may reach. */
export interface CustomSurroundings {
  readonly download?: DownloadLimits | undefined;
  /** Where fetched files are kept. Default: nowhere. */
  readonly cache?: DownloadCache | undefined;
  readonly files: FileAccess;
}

/** Rows of one file: from an address, from a `data:` URL, or on this machine. */
export class CustomDataset extends BaseDataset<DictSample> {
  readonly #definition: CustomDatasetDefinition;
  readonly #surroundings: CustomSurroundings;

  constructor(definition: CustomDatasetDefinition, surroundings: CustomSurroundings) {
    super(definition.identifier);
    this.#definition = definition;
    this.#surroundings = surroundings;
  }

  protected async source(signal: AbortSignal | undefined): Promise<RowSource<DictSample>> {
    const { url, format, rename_columns_map: renames } = this.#definition;
    const { files, download, cache } = this.#surroundings;
    const sourceOf = (file: string, close?: () => Promise<void>): RowSource<DictSample> => ({
      rows: () => renamedRows(rowsOf(file, signal), renames),
      ...(close && { close }),
    });
    if (!/^(data|https?):/i.test(url)) {
      const path = await localFile(url, files);
      return sourceOf(await typedFile(path, { name: path, format, keep: true }));
    }
    // It is read at least twice, to count rows and to take them; the second time must not find something else.
    const folder = await mkdtemp(join(tmpdir(), "elenchus-data-"));
    const close = () => rm(folder, { recursive: true, force: true });
    try {
      const path = join(folder, "table");
      if (/^data:/i.test(url)) {
        const { bytes, mediaType } = decodeDataUrl(url);
        await writeFile(path, bytes);
        return sourceOf(await typedFile(path, { mediaType, format }), close);
      }
      const { url: last, contentType } =
        cache === undefined
          ? await downloadTable(url, path, download, signal)
          : await cachedDownload(url, path, cache, download, signal);
      return sourceOf(await typedFile(path, { name: last.pathname, mediaType: contentType, format }), close);
    } catch (error) {
      await close();
      throw error;
    }
  }
}

async function* rowsOf(file: string, signal: AbortSignal | undefined): AsyncGenerator<TableRow> {
  for await (const { row } of threadedTable(file, { signal })) yield row;
}
