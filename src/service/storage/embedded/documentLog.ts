import { rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { messageOf, namesIn, writeAtomic } from "../../../base/index.js";
import { deepFreeze } from "../../../config/index.js";
import type { JsonObject, ListOptions, StoredDocument } from "../storage.js";
import { AppendLog, encoded, type FoundRecord, recordNames } from "./appendLog.js";

/** A log that has so many bytes, and so many times those of its documents, is replaced by a short one. */
const LONG_LOG = 1 << 20;
const LONG_RATIO = 4;

const value = z.custom<JsonObject>((found) => typeof found === "object" && found !== null);
/** What a record does, in the order of the file. */
const changeSchema = z.discriminatedUnion("do", [
  /** A document of an earlier generation. */
  z.object({ do: z.literal("keep"), id: z.string(), version: z.int(), value }),
  z.object({ do: z.literal("create"), id: z.string(), value }),
  z.object({ do: z.literal("replace"), id: z.string(), version: z.int(), value }),
  z.object({ do: z.literal("remove"), id: z.string() }),
  /** The end of this generation: what follows does nothing. */
  z.object({ do: z.literal("seal") }),
]);
type Change = z.infer<typeof changeSchema>;

interface Entry {
  readonly document: StoredDocument;
  readonly bytes: number;
}

/**
 * The documents of one kind: a log of changes, `<generation>.log`, and in memory what they come to. A change is a
 * wish; whether it comes true is decided by what stands before it in the log, so every process comes to the
 * same documents without a lock.
 *
 * A log that has grown long is sealed by a record. Whoever reads the seal writes the next generation, the documents
 * as they were at the seal, under a name that only one can take; all would write the same. A change behind the seal
 * did nothing, and its writer makes it again in the generation that follows.
 */
export class DocumentLog {
  readonly #kind: string;
  readonly #folder: string;
  readonly #name = recordNames();
  #generation = 0;
  #log: AppendLog | undefined;
  #sealed = false;
  #entries = new Map<string, Entry>();
  #bytes = 0;
  /** Changes of this process that were not read back yet; then the document they made or removed, or null. */
  readonly #own = new Map<string, StoredDocument | null | undefined>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(kind: string, folder: string) {
    this.#kind = kind;
    this.#folder = folder;
  }

  async get(id: string): Promise<StoredDocument | undefined> {
    await this.#refresh();
    return this.#entries.get(id)?.document;
  }

  async list({ where, first, after, limit }: ListOptions = {}): Promise<StoredDocument[]> {
    await this.#refresh();
    let documents = [...this.#entries.values()].map(({ document }) => document);
    if (first === "newest") documents.reverse();
    if (after !== undefined) {
      const place = documents.findIndex(({ id }) => id === after);
      documents = place < 0 ? [] : documents.slice(place + 1);
    }
    if (where !== undefined) {
      documents = documents.filter((document) => document.value[where.field] === where.equals);
    }
    return documents.slice(0, limit);
  }

  create(id: string, value: JsonObject): Promise<StoredDocument | undefined> {
    return this.#change({ do: "create", id, value });
  }

  replace(id: string, version: number, value: JsonObject): Promise<StoredDocument | undefined> {
    return this.#change({ do: "replace", id, version, value });
  }

  async remove(id: string): Promise<boolean> {
    return (await this.#change({ do: "remove", id })) !== undefined;
  }

  async #change(change: object): Promise<StoredDocument | undefined> {
    const body = JSON.stringify(change);
    for (;;) {
      const log = await this.#refresh();
      const name = this.#name();
      this.#own.set(name, undefined);
      try {
        await log.append([{ head: name, body }]);
        const newest = await this.#refresh();
        const outcome = this.#own.get(name);
        // It stands behind a seal.
        if (outcome === undefined) continue;
        await this.#shorten(newest);
        return outcome ?? undefined;
      } finally {
        this.#own.delete(name);
      }
    }
  }

  async #shorten(log: AppendLog): Promise<void> {
    if (log.size <= LONG_LOG || log.size <= LONG_RATIO * this.#bytes) return;
    await log.append([{ head: this.#name(), body: JSON.stringify({ do: "seal" }) }]);
    await this.#refresh();
  }

  /** Reads what was added, in this generation and those that follow it. One call after the other. */
  #refresh(): Promise<AppendLog> {
    const read = this.#turn.then(() => this.#catchUp());
    this.#turn = read.catch(() => {});
    return read;
  }

  async #catchUp(): Promise<AppendLog> {
    for (;;) {
      this.#log ??= await this.#openNewest();
      await this.#log.refresh(
        (record) => this.#see(record),
        () => this.#forget(),
      );
      if (!this.#sealed) return this.#log;
      await this.#writeNext();
      this.#log = undefined;
    }
  }

  async #openNewest(): Promise<AppendLog> {
    for (;;) {
      const newest = Math.max(this.#generation, ...(await this.#generations()));
      this.#forget();
      this.#generation = newest;
      // One that was replaced and removed between the two looks may have been made again by a process that slept.
      if (Math.max(newest, ...(await this.#generations())) > newest) continue;
      return new AppendLog(join(this.#folder, `${newest}.log`));
    }
  }

  async #generations(): Promise<number[]> {
    return (await namesIn(this.#folder)).flatMap((name) => /^(\d+)\.log$/.exec(name)?.[1] ?? []).map(Number);
  }

  async #writeNext(): Promise<void> {
    const next = this.#generation + 1;
    const records = [...this.#entries.values()].map(({ document: { id, version, value } }) =>
      encoded({ head: this.#name(), body: JSON.stringify({ do: "keep", id, version, value }) }),
    );
    try {
      await writeAtomic(join(this.#folder, `${next}.log`), records, { exclusive: true });
    } catch (error) {
      // Another process was first, or has gone further and cleared away.
      if (Math.max(...(await this.#generations())) < next) throw error;
    }
    // The one before stays for those who are about to open it.
    for (const name of await namesIn(this.#folder)) {
      const generation = /^\.?(\d+)\.log/.exec(name)?.[1];
      if (generation === undefined || Number(generation) >= this.#generation) continue;
      await rm(join(this.#folder, name), { force: true });
    }
    this.#generation = next;
  }

  #see({ head, body }: FoundRecord): void {
    if (this.#sealed) return;
    const made = this.#apply(parsed(body), body.length);
    if (this.#own.has(head)) this.#own.set(head, made);
  }

  /** @returns the document that was made or removed, null where nothing changed */
  #apply(change: Change, bytes: number): StoredDocument | null {
    if (change.do === "seal") {
      this.#sealed = true;
      return null;
    }
    const present = this.#entries.get(change.id);
    const version = present?.document.version;
    if (change.do === "remove") {
      this.#entries.delete(change.id);
      this.#bytes -= present?.bytes ?? 0;
      return present?.document ?? null;
    }
    if (change.do === "create" && present !== undefined) return null;
    if (change.do === "replace" && version !== change.version) return null;
    const own = change.do === "create" ? 1 : change.do === "keep" ? change.version : change.version + 1;
    const document = { kind: this.#kind, id: change.id, version: own, value: deepFreeze(change.value) };
    this.#entries.set(change.id, { document, bytes });
    this.#bytes += bytes - (present?.bytes ?? 0);
    return document;
  }

  #forget(): void {
    this.#sealed = false;
    this.#entries = new Map();
    this.#bytes = 0;
  }
}

function parsed(body: Buffer): Change {
  const change = changeSchema.safeParse(JSON.parse(body.toString("utf8")));
  if (change.success) return change.data;
  throw new Error(`a change that this version does not know: ${messageOf(change.error)}`);
}
