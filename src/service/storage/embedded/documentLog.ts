import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { makeFolder, messageOf, namesIn, writeAtomic } from "../../../base/index.js";
import { deepFreeze } from "../../../config/index.js";
import type { JsonObject, ListOptions, StoredDocument } from "../storage.js";
import { AppendLog, encoded, type FoundRecord, recordNames } from "./appendLog.js";
import { type Entry, FieldIndex } from "./fieldIndex.js";

/** A log that has so many bytes, and so many times those of its documents, is replaced by a short one. */
const LONG_LOG = 1 << 20;
const LONG_RATIO = 4;
/** Milliseconds that an old generation stays, for those who have yet to read what became of their change in it. */
const KEPT = 60_000;

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

/**
 * The documents of one kind: a log of changes, `<generation>.log`, and in memory what they come to. A change is a
 * wish; whether it comes true is decided by what stands before it in the log, so every process comes to the
 * same documents without a lock.
 *
 * A log that has grown long is sealed by a record. Whoever reads the seal writes the next generation, the documents
 * as they were at the seal, under a name that only one can take; all would write the same. A change behind the seal
 * did nothing, and its writer makes it again in the generation that follows.
 *
 * Old generations are removed after a while, and a process that slept meanwhile may make one again. So what a file says counts
 * only while there is no newer one at the end of its first reading, and while it stays that very file afterwards;
 * and a change never makes a file.
 */
export class DocumentLog {
  readonly #kind: string;
  readonly #folder: string;
  readonly #kept: number;
  readonly #name = recordNames();
  #generation = 0;
  #log: AppendLog | undefined;
  #sealed = false;
  /** Whether the file was exchanged or removed: what is read from then on counts for nothing. */
  #gone = false;
  #entries = new Map<string, Entry>();
  /** So that looking for the few jobs that wait, once a second, does not go through all that ever were. */
  #fields = new FieldIndex();
  #created = 0;
  #bytes = 0;
  /** Changes of this process that were not read back yet; then the document they made or removed, or null. */
  readonly #own = new Map<string, StoredDocument | null | undefined>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(kind: string, folder: string, { kept = KEPT } = {}) {
    this.#kind = kind;
    this.#folder = folder;
    this.#kept = kept;
  }

  async get(id: string): Promise<StoredDocument | undefined> {
    await this.#refresh();
    return this.#entries.get(id)?.document;
  }

  async list({ where, first, after, limit }: ListOptions = {}): Promise<StoredDocument[]> {
    await this.#refresh();
    let entries = where === undefined ? [...this.#entries.values()] : this.#fields.found(where);
    if (first === "newest") entries.reverse();
    if (after !== undefined) {
      const place = this.#entries.get(after)?.place;
      if (place === undefined) return [];
      entries = entries.filter((entry) => (first === "newest" ? entry.place < place : entry.place > place));
    }
    return entries.slice(0, limit).map(({ document }) => document);
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
      const log = await this.#begun();
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
      if (this.#log === undefined) this.#log = await this.#openNewest();
      else await this.#read(this.#log);
      if (!this.#sealed && !this.#gone) return this.#log;
      if (!this.#gone) await this.#writeNext();
      this.#log = undefined;
    }
  }

  async #openNewest(): Promise<AppendLog> {
    for (;;) {
      const newest = Math.max(0, ...(await this.#generations()));
      const log = new AppendLog(join(this.#folder, `${newest}.log`), { make: false });
      this.#generation = newest;
      this.#sealed = false;
      this.#gone = false;
      this.#entries = new Map();
      this.#fields = new FieldIndex(this.#fields);
      this.#bytes = 0;
      await this.#read(log);
      if (Math.max(0, ...(await this.#generations())) === newest) return log;
    }
  }

  #read(log: AppendLog): Promise<void> {
    return log.refresh(
      (record) => this.#see(record, log === this.#log),
      () => {
        this.#gone = true;
      },
    );
  }

  /** The log to write to; the first generation is made where there is none. */
  async #begun(): Promise<AppendLog> {
    const log = await this.#refresh();
    if (this.#generation > 0 || (await this.#generations()).length > 0) return log;
    await makeFolder(this.#folder);
    await writeAtomic(join(this.#folder, "0.log"), "", { exclusive: true }).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== "EEXIST") throw error;
      },
    );
    return this.#refresh();
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
      if (Math.max(0, ...(await this.#generations())) < next) throw error;
    }
    await this.#removeOld();
  }

  async #removeOld(): Promise<void> {
    for (const name of await namesIn(this.#folder)) {
      const generation = /^\.?(\d+)\.log/.exec(name)?.[1];
      if (generation === undefined || Number(generation) >= this.#generation) continue;
      const path = join(this.#folder, name);
      // Another process may have been faster.
      const found = await stat(path).catch(() => undefined);
      if (found !== undefined && Date.now() - found.mtimeMs >= this.#kept) await rm(path, { force: true });
    }
  }

  /** @param counted whether this generation is known to count; changes of one that is only being opened do not yet */
  #see({ head, body }: FoundRecord, counted: boolean): void {
    if (this.#sealed || this.#gone) return;
    const made = this.#apply(parsed(body), body.length);
    if (counted && this.#own.has(head)) this.#own.set(head, made);
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
      this.#fields.exchange(present, undefined);
      this.#bytes -= present?.bytes ?? 0;
      return present?.document ?? null;
    }
    if (change.do === "create" && present !== undefined) return null;
    if (change.do === "replace" && version !== change.version) return null;
    const own = change.do === "create" ? 1 : change.do === "keep" ? change.version : change.version + 1;
    const document = { kind: this.#kind, id: change.id, version: own, value: deepFreeze(change.value) };
    const entry = { document, bytes, place: present?.place ?? this.#created++ };
    this.#entries.set(change.id, entry);
    this.#fields.exchange(present, entry);
    this.#bytes += bytes - (present?.bytes ?? 0);
    return document;
  }
}

function parsed(body: Buffer): Change {
  const change = changeSchema.safeParse(JSON.parse(body.toString("utf8")));
  if (change.success) return change.data;
  throw new Error(`a change that this version does not know: ${messageOf(change.error)}`);
}
