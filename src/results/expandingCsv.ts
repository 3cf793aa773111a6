import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { type FileHandle, link, open, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { removeLeftovers, writeAtomic } from "../base/index.js";
import { type CsvState, corruptCsv, csvState, hasHeader, pieces } from "./csvFile.js";
import { RecordScanner, recordText } from "./csvRecords.js";

/** Cells by column; a column that is absent is an empty cell. */
export type Cells = ReadonlyMap<string, string>;

/** How a CSV is kept. */
export interface ExpandingCsvOptions {
  /** Flush to the disk after every append, so that a row survives a power cut. Default true. */
  readonly sync?: boolean;
}

/**
 * A CSV whose rows are only appended and whose columns may grow. Rows go to the end in one write, whatever
 * stands before them. Rows with new columns rewrite the file once, through a temporary file and a rename:
 * new header, earlier rows padded with empty cells, the new rows. One process at a time may hold it.
 */
export class ExpandingCsv {
  readonly path: string;
  readonly #sync: boolean;
  #file: FileHandle;
  #columns: string[];
  #rows: number;
  #size: number;
  #bytesWritten = 0;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(path: string, file: FileHandle, sync: boolean, state: CsvState) {
    this.path = path;
    this.#sync = sync;
    this.#file = file;
    this.#columns = state.columns;
    this.#rows = state.rows;
    this.#size = state.size;
  }

  /**
   * Starts a CSV with a header, whole or not at all, in place of one that has none.
   * @throws EEXIST, the system's own error, when there is one with a header
   */
  static async create(
    path: string,
    columns: readonly string[],
    { sync = true }: ExpandingCsvOptions = {},
  ): Promise<ExpandingCsv> {
    const header = Buffer.from(recordText(columns));
    await putAside(path);
    await writeAtomic(path, header, { exclusive: true });
    const state = { columns: [...columns], rows: 0, size: header.length };
    const csv = new ExpandingCsv(path, await open(path, "r+"), sync, state);
    csv.#bytesWritten = header.length;
    return csv;
  }

  /**
   * Goes on with a CSV, after cutting what a killed writer left: a torn last line, temporary files.
   * @param keep rows to keep at most; those behind them are cut
   * @throws RECORD_CORRUPT when there is no whole header, a column twice, or fewer rows than `keep`
   */
  static async open(
    path: string,
    { sync = true, keep }: ExpandingCsvOptions & { keep?: number } = {},
  ): Promise<ExpandingCsv> {
    await removeLeftovers(dirname(path), basename(path));
    const file = await open(path, "r+");
    try {
      const state = await csvState(path, file, keep ?? Number.POSITIVE_INFINITY);
      if (keep !== undefined && state.rows < keep) {
        throw corruptCsv(path, `it has ${state.rows} rows where ${keep} were recorded`);
      }
      await file.truncate(state.size);
      return new ExpandingCsv(path, file, sync, state);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  get columns(): readonly string[] {
    return this.#columns;
  }

  /** Rows in the file, the header not counted. */
  get rows(): number {
    return this.#rows;
  }

  /** Bytes that this object has written, rewrites included. */
  get bytesWritten(): number {
    return this.#bytesWritten;
  }

  /** Appends rows, all in one write; columns not yet there are added in the order in which they appear. */
  append(rows: readonly Cells[]): Promise<void> {
    const done = this.#last.then(() => this.#append(rows));
    this.#last = done.catch(() => {});
    return done;
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#file.close();
  }

  async #append(rows: readonly Cells[]): Promise<void> {
    if (rows.length === 0) return;
    await this.#requireUntouched();
    const columns = [...new Set([...this.#columns, ...rows.flatMap((row) => [...row.keys()])])];
    const added = columns.length - this.#columns.length;
    const text = rows.map((row) => recordText(columns.map((column) => row.get(column) ?? ""))).join("");
    const bytes = Buffer.from(text);

    if (added === 0) await this.#writeAtEnd(bytes);
    else await this.#rewrite(columns, added, bytes);
    this.#rows += rows.length;
  }

  /** Another process at work on the same file would overwrite rows, or see its own overwritten. */
  async #requireUntouched(): Promise<void> {
    const [own, found] = await Promise.all([this.#file.stat(), stat(this.path).catch(() => null)]);
    if (found?.ino === own.ino && found.size === this.#size) return;
    throw corruptCsv(this.path, "something else has changed it meanwhile");
  }

  async #writeAtEnd(bytes: Buffer): Promise<void> {
    try {
      let done = 0;
      while (done < bytes.length) {
        const { bytesWritten } = await this.#file.write(bytes, done, bytes.length - done, this.#size + done);
        done += bytesWritten;
      }
      if (this.#sync) await this.#file.datasync();
    } catch (error) {
      await this.#file.truncate(this.#size).catch(() => {});
      throw error;
    }
    this.#size += bytes.length;
    this.#bytesWritten += bytes.length;
  }

  async #rewrite(columns: string[], added: number, bytes: Buffer): Promise<void> {
    let size = 0;
    const counted = function* (pieces: Iterable<Buffer>) {
      for (const piece of pieces) {
        size += piece.length;
        yield piece;
      }
    };
    const content = async function* (this: ExpandingCsv) {
      yield* counted([Buffer.from(recordText(columns))]);
      for await (const piece of this.#paddedRows(added)) yield* counted([piece]);
      yield* counted([bytes]);
    };
    await writeAtomic(this.path, content.call(this));
    // In this order: should opening fail, later appends fail too instead of going to the replaced file.
    await this.#file.close();
    this.#file = await open(this.path, "r+");
    this.#columns = columns;
    this.#size = size;
    this.#bytesWritten += size;
  }

  /** The rows as they stand, each with as many more empty cells as there are new columns. */
  async *#paddedRows(added: number): AsyncGenerator<Buffer> {
    const padding = Buffer.from(",".repeat(added));
    const scanner = new RecordScanner();
    let header = true;
    for await (const piece of pieces(this.#file, this.#size)) {
      const parts: Buffer[] = [];
      let start = 0;
      for (const end of scanner.ends(piece)) {
        if (!header) parts.push(piece.subarray(start, end - 1), padding, piece.subarray(end - 1, end));
        header = false;
        start = end;
      }
      if (!header) parts.push(piece.subarray(start));
      yield Buffer.concat(parts);
    }
  }
}

/**
 * Removes a file without a header. By way of another name: what another process puts there between the look
 * and the removal is put back.
 */
async function putAside(path: string): Promise<void> {
  if (!existsSync(path) || (await hasHeader(path))) return;
  const aside = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    await rename(path, aside);
    if (await hasHeader(aside)) await link(aside, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  await rm(aside, { force: true });
}
