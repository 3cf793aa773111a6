import { readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { ElenchusError, makeFolder, messageOf, namesIn, writeAtomic } from "../../../base/index.js";
import { checkName, checkStage, pathPart } from "../names.js";
import type {
  JsonObject,
  JsonValue,
  ListOptions,
  RowsOptions,
  Storage,
  StoredDocument,
  StoredRow,
} from "../storage.js";
import { DocumentLog } from "./documentLog.js";
import { RowLog } from "./rowLog.js";

/** The layout of the folder. Another number is another version of the product. */
const FORMAT = "1\n";
/** So many stages keep the places of their rows in memory. */
const STAGES_IN_MEMORY = 256;

/**
 * The storage that needs no server: append-only files in a folder, `documents/<kind>/<generation>.log` and
 * `rows/<owner>/<stage>.log`. Several processes of one machine may have it open.
 */
export class EmbeddedStorage implements Storage {
  readonly place: string;
  readonly #folder: string;
  readonly #kinds = new Map<string, DocumentLog>();
  readonly #stages = new Map<string, RowLog>();

  private constructor(folder: string) {
    this.#folder = folder;
    this.place = folder;
  }

  /** @throws STORAGE_FAILED where the folder cannot be written or is another version's */
  static async open(folder: string): Promise<EmbeddedStorage> {
    const storage = new EmbeddedStorage(resolve(folder));
    await storage.#safely(() => storage.#checkFormat());
    return storage;
  }

  now(): Promise<number> {
    return Promise.resolve(Date.now());
  }

  get(kind: string, id: string): Promise<StoredDocument | undefined> {
    return this.#documents(kind, id, (log) => log.get(id));
  }

  create(kind: string, id: string, value: JsonObject): Promise<StoredDocument | undefined> {
    return this.#documents(kind, id, (log) => log.create(id, value));
  }

  replace(kind: string, id: string, version: number, value: JsonObject): Promise<StoredDocument | undefined> {
    return this.#documents(kind, id, (log) => log.replace(id, version, value));
  }

  remove(kind: string, id: string): Promise<boolean> {
    return this.#documents(kind, id, (log) => log.remove(id));
  }

  list(kind: string, options: ListOptions = {}): Promise<StoredDocument[]> {
    return this.#documents(kind, options.after ?? "any", (log) => log.list(options));
  }

  append(owner: string, stage: string, rows: readonly StoredRow[]): Promise<number> {
    return this.#rows(owner, stage, (log) => log.append(rows));
  }

  push(owner: string, stage: string, rows: readonly JsonValue[]): Promise<number> {
    return this.#rows(owner, stage, (log) => log.push(rows));
  }

  has(owner: string, stage: string, index: number): Promise<boolean> {
    return this.#rows(owner, stage, (log) => log.has(index));
  }

  count(owner: string, stage: string): Promise<number> {
    return this.#rows(owner, stage, (log) => log.count());
  }

  async *rows(owner: string, stage: string, options: RowsOptions = {}): AsyncGenerator<StoredRow> {
    try {
      yield* this.#stage(owner, stage).rows(options);
    } catch (error) {
      throw this.#failure(error);
    }
  }

  async stages(owner: string): Promise<{ stage: string; count: number }[]> {
    checkName("the owner of rows", owner);
    const files = await this.#safely(() => namesIn(this.#ownerFolder(owner)));
    const counted: { stage: string; count: number }[] = [];
    for (const file of files) {
      if (!file.endsWith(".log")) continue;
      const stage = decodeURIComponent(file.slice(0, -".log".length));
      const count = await this.count(owner, stage);
      if (count > 0) counted.push({ stage, count });
    }
    return counted.sort((a, b) => (a.stage < b.stage ? -1 : 1));
  }

  async removeRows(owner: string, stage?: string): Promise<void> {
    checkName("the owner of rows", owner);
    const path = stage === undefined ? this.#ownerFolder(owner) : this.#stagePath(owner, stage);
    await this.#safely(() => rm(path, { recursive: true, force: true, maxRetries: 3 }));
  }

  close(): Promise<void> {
    this.#kinds.clear();
    this.#stages.clear();
    return Promise.resolve();
  }

  async #checkFormat(): Promise<void> {
    await makeFolder(this.#folder);
    const path = join(this.#folder, "format");
    await writeAtomic(path, FORMAT, { exclusive: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
    const found = await readFile(path, "utf8");
    if (found === FORMAT) return;
    throw new Error(`it has format ${found.trim()}, this version of Elenchus knows ${FORMAT.trim()}`);
  }

  async #documents<T>(kind: string, id: string, use: (log: DocumentLog) => Promise<T>): Promise<T> {
    checkName("a kind of document", kind);
    checkName("the id of a document", id);
    let log = this.#kinds.get(kind);
    if (log === undefined) {
      log = new DocumentLog(kind, join(this.#folder, "documents", pathPart(kind)));
      this.#kinds.set(kind, log);
    }
    const found = log;
    return this.#safely(() => use(found));
  }

  async #rows<T>(owner: string, stage: string, use: (log: RowLog) => Promise<T>): Promise<T> {
    const log = this.#stage(owner, stage);
    return this.#safely(() => use(log));
  }

  #stage(owner: string, stage: string): RowLog {
    checkName("the owner of rows", owner);
    checkStage(stage);
    const path = this.#stagePath(owner, stage);
    const log = this.#stages.get(path) ?? new RowLog(path);
    // The one used longest ago goes first; it is read again when it is wanted.
    this.#stages.delete(path);
    this.#stages.set(path, log);
    for (const oldest of this.#stages.keys()) {
      if (this.#stages.size <= STAGES_IN_MEMORY) break;
      this.#stages.delete(oldest);
    }
    return log;
  }

  #ownerFolder(owner: string): string {
    return join(this.#folder, "rows", pathPart(owner));
  }

  #stagePath(owner: string, stage: string): string {
    return join(this.#ownerFolder(owner), `${pathPart(stage)}.log`);
  }

  async #safely<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw this.#failure(error);
    }
  }

  #failure(error: unknown): unknown {
    if (error instanceof ElenchusError) return error;
    return new ElenchusError(
      "STORAGE_FAILED",
      `The storage in ${this.#folder} cannot be used: ${messageOf(error)}. Expected a folder on a local disk that this user may write; see service.storage_path.`,
      { cause: error },
    );
  }
}
