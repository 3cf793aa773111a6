import { randomUUID } from "node:crypto";
import type { DatasetDef, RegisterDataset, Row } from "../../api/index.js";
import { ElenchusError, optionFaults } from "../../base/index.js";
import { type BaseDataset, type DictSample, definitionOfUri, requireReachable } from "../../tasks/index.js";
import { parsed } from "../http/parsed.js";
import type { JsonObject, JsonValue, StoredDocument } from "../storage/index.js";
import { type DatasetDocument, datasetDocumentSchema, GIVEN_ROWS, rowsOfDataset } from "./datasetDocument.js";
import { type DatasetSources, StoredDataset, UPLOAD } from "./storedDataset.js";

const KIND = "dataset";
/** Rows that are written at a time. */
const PIECE = 1000;

/** A page of rows. */
export interface RowsPage {
  readonly rows: Row[];
  readonly more: boolean;
}

/** The registered data sets. */
export class DatasetStore {
  readonly #sources: DatasetSources;

  constructor(sources: DatasetSources) {
    this.#sources = sources;
  }

  /** @throws CONFLICT for a name that is taken; REQUEST_INVALID for an address that makes no data set; LIMIT_EXCEEDED */
  async register({
    purpose,
    source,
    metadata,
    dataset_id: given,
  }: RegisterDataset): Promise<DatasetDocument> {
    const identifier = given ?? `dataset-${randomUUID()}`;
    const facts = metadata ?? {};
    const provider = typeof facts.provider_id === "string" ? facts.provider_id : undefined;
    if (source.type === "rows") {
      const definition = { type: "rows" as const, identifier };
      const document = { identifier, purpose, metadata: facts, definition, uri: null };
      return await this.#create({ ...document, provider_id: provider ?? "localfs" }, source.rows);
    }
    const definition = definitionOf(identifier, source.uri);
    const standard = definition.type === "huggingface" ? "huggingface" : "localfs";
    const document = { identifier, purpose, metadata: facts, definition, uri: source.uri };
    return await this.#create({ ...document, provider_id: provider ?? standard }, []);
  }

  /** The same by a definition. @throws as `register` */
  async define(given: DatasetDef): Promise<DatasetDocument> {
    const { identifier } = given;
    const definition = parsed(
      datasetDocumentSchema.shape.definition,
      { ...given, rename_columns_map: given.rename_columns_map ?? {} },
      "dataset_def",
    );
    return await this.#create(
      {
        identifier,
        purpose: "eval/question-answer",
        provider_id: given.type === "huggingface" ? "huggingface" : "localfs",
        metadata: {},
        definition,
        uri: null,
      },
      [],
    );
  }

  /** @throws NOT_FOUND */
  async get(id: string): Promise<DatasetDocument> {
    const found = await this.#sources.storage.get(KIND, id);
    if (found !== undefined) return documentOf(found);
    throw new ElenchusError("NOT_FOUND", `Dataset ${id} not found.`, { details: { param: "dataset_id" } });
  }

  async list(): Promise<DatasetDocument[]> {
    return (await this.#sources.storage.list(KIND)).map(documentOf);
  }

  /** @throws NOT_FOUND */
  async remove(id: string): Promise<void> {
    const { storage } = this.#sources;
    if (!(await storage.remove(KIND, id))) await this.get(id);
    await storage.removeRows(rowsOfDataset(id));
  }

  /** Adds rows behind all others. @throws NOT_FOUND, LIMIT_EXCEEDED */
  async append(id: string, rows: readonly Row[]): Promise<void> {
    await this.get(id);
    await this.#push(id, rows);
  }

  /** The rows, to be taken as often as they are needed. @throws NOT_FOUND */
  async open(id: string): Promise<BaseDataset<DictSample>> {
    return new StoredDataset(await this.get(id), this.#sources);
  }

  /** Rows from a place on. @throws NOT_FOUND; what keeps the rows from being read */
  async page(id: string, start: number, limit: number, signal?: AbortSignal): Promise<RowsPage> {
    const document = await this.get(id);
    const rows: Row[] = [];
    if (document.definition.type === "rows") {
      const given = this.#sources.storage.rows(rowsOfDataset(id), GIVEN_ROWS, {
        from: start,
        limit: limit + 1,
      });
      for await (const { row } of given) rows.push(row as Row);
    } else {
      let place = 0;
      for await (const { data } of new StoredDataset(document, this.#sources)) {
        signal?.throwIfAborted();
        if (place++ < start) continue;
        rows.push(data as Row);
        if (rows.length > limit) break;
      }
    }
    return { rows: rows.slice(0, limit), more: rows.length > limit };
  }

  /** How many rows were given or added here. */
  async givenRows(id: string): Promise<number> {
    return await this.#sources.storage.count(rowsOfDataset(id), GIVEN_ROWS);
  }

  async #create(document: DatasetDocument, rows: readonly Row[]): Promise<DatasetDocument> {
    const { storage, maxRows } = this.#sources;
    const { identifier, definition } = document;
    if (rows.length > maxRows) throw tooMany(maxRows);
    await this.#requireReadable(definition);
    if (!(await storage.create(KIND, identifier, document as unknown as JsonObject))) {
      throw new ElenchusError("CONFLICT", `Dataset ${identifier} already exists.`, {
        details: { param: "dataset_id" },
      });
    }
    try {
      await storage.removeRows(rowsOfDataset(identifier));
      await this.#push(identifier, rows);
    } catch (error) {
      await storage.remove(KIND, identifier);
      throw error;
    }
    return document;
  }

  /** @throws ADDRESS_REFUSED; NOT_FOUND for an upload that is not there */
  async #requireReadable(definition: DatasetDocument["definition"]): Promise<void> {
    if (definition.type === "rows") return;
    const upload = definition.type === "custom" ? UPLOAD.exec(definition.url)?.[1] : undefined;
    if (upload !== undefined) await this.#sources.files.get(upload);
    else await requireReachable(definition, this.#sources.surroundings);
  }

  async #push(id: string, rows: readonly Row[]): Promise<void> {
    const { storage, maxRows } = this.#sources;
    if (rows.length > 0 && (await this.givenRows(id)) + rows.length > maxRows) throw tooMany(maxRows);
    for (let start = 0; start < rows.length; start += PIECE) {
      await storage.push(
        rowsOfDataset(id),
        GIVEN_ROWS,
        rows.slice(start, start + PIECE) as unknown as JsonValue[],
      );
    }
  }
}

function definitionOf(identifier: string, uri: string): DatasetDocument["definition"] {
  try {
    return datasetDocumentSchema.shape.definition.parse(definitionOfUri(identifier, uri));
  } catch (error) {
    if (error instanceof ElenchusError) throw error;
    const issues = (error as { issues?: unknown }).issues;
    const faults = Array.isArray(issues) ? optionFaults(error as never, { uri }).join("; ") : String(error);
    throw new ElenchusError("REQUEST_INVALID", `source.uri makes no data set: ${faults}.`, {
      details: { param: "source.uri" },
    });
  }
}

function tooMany(most: number): ElenchusError {
  return new ElenchusError(
    "LIMIT_EXCEEDED",
    `A data set has at most ${most} rows here (service.max_dataset_rows).`,
  );
}

function documentOf({ value }: StoredDocument): DatasetDocument {
  return datasetDocumentSchema.parse(value);
}
