import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { ElenchusError } from "../../base/index.js";
import {
  BaseDataset,
  type DatasetSurroundings,
  type DictSample,
  datasetOf,
  type RowSource,
} from "../../tasks/index.js";
import type { FileStore } from "../files/fileStore.js";
import type { Storage } from "../storage/index.js";
import { type DatasetDocument, GIVEN_ROWS, rowsOfDataset } from "./datasetDocument.js";

/** What the rows of data sets come from. */
export interface DatasetSources {
  readonly storage: Storage;
  readonly files: FileStore;
  readonly surroundings: DatasetSurroundings;
  readonly maxRows: number;
}

/** The address of an uploaded file. */
export const UPLOAD = /^upload:(.+)$/;

/** A registered data set: the rows of its file or repository, then those that were given or added here. */
export class StoredDataset extends BaseDataset<DictSample> {
  readonly #document: DatasetDocument;
  readonly #sources: DatasetSources;

  constructor(document: DatasetDocument, sources: DatasetSources) {
    super(document.identifier);
    this.#document = document;
    this.#sources = sources;
  }

  protected async source(signal: AbortSignal | undefined): Promise<RowSource<DictSample>> {
    const { storage, maxRows } = this.#sources;
    const id = this.#document.identifier;
    const { dataset, close: dispose } = await this.#beginning(signal);
    const opened = await dataset?.open(undefined, signal).catch(async (error: unknown) => {
      await dispose();
      throw error;
    });
    return {
      async *rows() {
        let count = 0;
        const counted = (sample: DictSample) => {
          if (++count > maxRows) throw tooMany(id, maxRows);
          return sample;
        };
        for await (const { sample } of opened?.rows() ?? []) yield counted(sample);
        for await (const { row } of storage.rows(rowsOfDataset(id), GIVEN_ROWS)) {
          yield counted({ data: row as DictSample["data"] });
        }
      },
      async close() {
        await opened?.close();
        await dispose();
      },
    };
  }

  /** What stands before the rows of the storage. */
  async #beginning(signal: AbortSignal | undefined) {
    const { definition } = this.#document;
    const { files, surroundings } = this.#sources;
    const nothing = async () => {};
    if (definition.type === "rows") return { dataset: undefined, close: nothing };
    const upload = definition.type === "custom" ? UPLOAD.exec(definition.url)?.[1] : undefined;
    if (upload === undefined || definition.type !== "custom") {
      return { dataset: datasetOf(definition, surroundings), close: nothing };
    }
    const { filename } = await files.get(upload);
    const folder = await mkdtemp(join(tmpdir(), "elenchus-upload-"));
    const close = () => rm(folder, { recursive: true, force: true });
    try {
      const ending = definition.format ?? /\.([a-z0-9]{1,8}(?:\.gz)?)$/i.exec(filename)?.[1]?.toLowerCase();
      const path = join(folder, `table.${ending ?? "csv"}`);
      await pipeline(files.content(upload), createWriteStream(path), { ...(signal && { signal }) });
      return { dataset: datasetOf({ ...definition, url: path }, { files: { folder } }), close };
    } catch (error) {
      await close();
      throw error;
    }
  }
}

function tooMany(id: string, most: number): ElenchusError {
  return new ElenchusError(
    "LIMIT_EXCEEDED",
    `The data set ${JSON.stringify(id)} has more than ${most} rows (service.max_dataset_rows).`,
  );
}
