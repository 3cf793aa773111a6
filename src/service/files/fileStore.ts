import { randomUUID } from "node:crypto";
import { FILE_PURPOSES, type StoredFile } from "../../api/index.js";
import { ElenchusError } from "../../base/index.js";
import type { JsonObject, Storage, StoredDocument } from "../storage/index.js";

/** Bytes of one row; base64 makes four thirds of them. */
const PIECE = 512 * 1024;
const KIND = "file";

/** What a new file is. */
export interface NewFile {
  readonly filename: string;
  readonly purpose: StoredFile["purpose"];
  /** Default a new one. */
  readonly id?: string;
}

/**
 * Files in the service's storage, so that every worker has them. A file is there once its document is: of one that was
 * not taken in whole nothing is left.
 */
export class FileStore {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** Takes a file in. What stood under that id before is replaced. @throws what the content throws */
  async add(
    content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    { filename, purpose, id = `file-${randomUUID()}` }: NewFile,
  ): Promise<StoredFile> {
    await this.#storage.removeRows(ownerOf(id));
    let bytes = 0;
    try {
      for await (const piece of pieces(content)) {
        bytes += piece.length;
        await this.#storage.push(ownerOf(id), "bytes", [piece.toString("base64")]);
      }
    } catch (error) {
      await this.#storage.removeRows(ownerOf(id));
      throw error;
    }
    const file: StoredFile = {
      id,
      object: "file",
      bytes,
      created_at: Math.floor((await this.#storage.now()) / 1000),
      filename,
      purpose,
      expires_at: null,
    };
    await this.#storage.remove(KIND, id);
    await this.#storage.create(KIND, id, file as unknown as JsonObject);
    return file;
  }

  /** @throws NOT_FOUND */
  async get(id: string): Promise<StoredFile> {
    const found = await this.#storage.get(KIND, id);
    if (found !== undefined) return fileOf(found);
    throw new ElenchusError(
      "NOT_FOUND",
      `There is no file ${JSON.stringify(id)}. Upload it first, with POST /v1/files.`,
    );
  }

  /** In order of creation, one more than asked for where there are more. */
  async list(options: {
    after?: string | undefined;
    limit: number;
    order: "asc" | "desc";
    purpose?: StoredFile["purpose"] | undefined;
  }): Promise<{ data: StoredFile[]; more: boolean }> {
    const found = await this.#storage.list(KIND, {
      first: options.order === "asc" ? "oldest" : "newest",
      limit: options.limit + 1,
      ...(options.after !== undefined && { after: options.after }),
      ...(options.purpose !== undefined && { where: { field: "purpose", equals: options.purpose } }),
    });
    return { data: found.slice(0, options.limit).map(fileOf), more: found.length > options.limit };
  }

  /** Says what a file is for. @throws NOT_FOUND */
  async setPurpose(id: string, purpose: StoredFile["purpose"]): Promise<StoredFile> {
    const file = { ...(await this.get(id)), purpose };
    const { version } = (await this.#storage.get(KIND, id))!;
    await this.#storage.replace(KIND, id, version, file as unknown as JsonObject);
    return file;
  }

  /** @throws NOT_FOUND */
  async remove(id: string): Promise<void> {
    await this.get(id);
    await this.#storage.remove(KIND, id);
    await this.#storage.removeRows(ownerOf(id));
  }

  /** The bytes of a file. @throws NOT_FOUND */
  async *content(id: string): AsyncGenerator<Buffer> {
    await this.get(id);
    for await (const { row } of this.#storage.rows(ownerOf(id), "bytes"))
      yield Buffer.from(String(row), "base64");
  }

  /** The lines of a text file, without their ends; the place of each, from 1. */
  async *lines(id: string): AsyncGenerator<{ readonly number: number; readonly text: string }> {
    const decoder = new TextDecoder();
    let number = 0;
    let open = "";
    for await (const piece of this.content(id)) {
      const lines = (open + decoder.decode(piece, { stream: true })).split("\n");
      open = lines.pop() ?? "";
      for (const text of lines) yield { number: ++number, text: text.replace(/\r$/, "") };
    }
    open += decoder.decode();
    if (open !== "") yield { number: ++number, text: open };
  }
}

/** Whether a text is a purpose that a file may have. */
export function isFilePurpose(text: string): text is StoredFile["purpose"] {
  return (FILE_PURPOSES as readonly string[]).includes(text);
}

/** Bytes in pieces of one size, the last one smaller. */
async function* pieces(content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Buffer> {
  let held: Uint8Array[] = [];
  let size = 0;
  for await (const bytes of content) {
    held.push(bytes);
    size += bytes.length;
    if (size < PIECE) continue;
    const whole = Buffer.concat(held);
    let start = 0;
    for (; whole.length - start >= PIECE; start += PIECE) yield whole.subarray(start, start + PIECE);
    held = [whole.subarray(start)];
    size = whole.length - start;
  }
  if (size > 0) yield Buffer.concat(held);
}

function ownerOf(id: string): string {
  return `file/${id}`;
}

function fileOf({ value }: StoredDocument): StoredFile {
  return value as unknown as StoredFile;
}
