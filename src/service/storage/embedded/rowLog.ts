import type { FileHandle } from "node:fs/promises";
import type { JsonValue, RowsOptions, StoredRow } from "../storage.js";
import { AppendLog, type FoundRecord, recordNames } from "./appendLog.js";

/** Rows that lie close together are read at once. */
const ROWS_AT_ONCE = 256;
const LONGEST_READ = 1 << 20;
/** In place of an index: behind the last one at that place in the file. */
const NEXT = "+";

/** The rows of one stage of one owner: a file, and in memory the place of each row in it. */
export class RowLog {
  readonly #log: AppendLog;
  readonly #name = recordNames();
  /** In the order of the file. */
  #indexes: number[] = [];
  #starts: number[] = [];
  #lengths: number[] = [];
  #positions = new Map<number, number>();
  #next = 0;
  /** Records of this process that are being written, and what became of them once they were read back. */
  readonly #own = new Map<string, { index: number; stored: boolean } | undefined>();

  constructor(path: string) {
    this.#log = new AppendLog(path);
  }

  /** @returns how many were new */
  async append(rows: readonly StoredRow[]): Promise<number> {
    await this.#refresh();
    const wanted = rows.filter(({ index }) => !this.#positions.has(index));
    const outcomes = await this.#write(wanted.map(({ index, row }) => ({ place: String(index), row })));
    return outcomes.filter(({ stored }) => stored).length;
  }

  /** @returns the index of the first */
  async push(rows: readonly JsonValue[]): Promise<number> {
    if (rows.length === 0) {
      await this.#refresh();
      return this.#next;
    }
    const [first] = await this.#write(rows.map((row) => ({ place: NEXT, row })));
    return first!.index;
  }

  async has(index: number): Promise<boolean> {
    await this.#refresh();
    return this.#positions.has(index);
  }

  async count(): Promise<number> {
    await this.#refresh();
    return this.#positions.size;
  }

  async *rows({ from = 0, limit = Number.POSITIVE_INFINITY }: RowsOptions = {}): AsyncGenerator<StoredRow> {
    await this.#refresh();
    const positions = this.#inOrder(from, limit);
    // From here on the file that is open counts, whatever becomes of this one.
    const places = { indexes: this.#indexes, starts: this.#starts, lengths: this.#lengths };
    const file = await this.#log.openToRead();
    if (file === undefined) return;
    try {
      for (let start = 0; start < positions.length; start += ROWS_AT_ONCE) {
        const some = positions.subarray(start, start + ROWS_AT_ONCE);
        const texts = await readBodies(file, some, places);
        for (const [offset, position] of some.entries()) {
          yield { index: places.indexes[position]!, row: JSON.parse(texts[offset]!) as JsonValue };
        }
      }
    } finally {
      await file.close();
    }
  }

  async #write(rows: readonly { place: string; row: JsonValue }[]) {
    if (rows.length === 0) return [];
    const records = rows.map(({ place, row }) => ({ name: this.#name(), place, body: JSON.stringify(row) }));
    for (const { name } of records) this.#own.set(name, undefined);
    try {
      await this.#log.append(records.map(({ name, place, body }) => ({ head: `${name} ${place}`, body })));
      await this.#refresh();
      return records.map(({ name }) => {
        const outcome = this.#own.get(name);
        if (outcome === undefined) throw new Error("a row that was written and flushed is not in the file");
        return outcome;
      });
    } finally {
      for (const { name } of records) this.#own.delete(name);
    }
  }

  #refresh(): Promise<void> {
    return this.#log.refresh(
      (record) => this.#see(record),
      () => this.#forget(),
    );
  }

  #see({ head, body, start }: FoundRecord): void {
    const space = head.indexOf(" ");
    const name = head.slice(0, space);
    const place = head.slice(space + 1);
    const index = place === NEXT ? this.#next : Number(place);
    const stored = !this.#positions.has(index);
    if (stored) {
      this.#positions.set(index, this.#indexes.length);
      this.#indexes.push(index);
      this.#starts.push(start);
      this.#lengths.push(body.length);
      this.#next = Math.max(this.#next, index + 1);
    }
    if (this.#own.has(name)) this.#own.set(name, { index, stored });
  }

  #forget(): void {
    this.#indexes = [];
    this.#starts = [];
    this.#lengths = [];
    this.#positions = new Map();
    this.#next = 0;
  }

  /** Positions of the rows asked for, by index. */
  #inOrder(from: number, limit: number): Uint32Array {
    const chosen = new Uint32Array(this.#indexes.length);
    let count = 0;
    let sorted = true;
    for (let position = 0; position < this.#indexes.length; position++) {
      const index = this.#indexes[position]!;
      if (index < from) continue;
      if (count > 0 && index < this.#indexes[chosen[count - 1]!]!) sorted = false;
      chosen[count++] = position;
    }
    const positions = chosen.subarray(0, count);
    if (!sorted) positions.sort((a, b) => this.#indexes[a]! - this.#indexes[b]!);
    return positions.subarray(0, Math.min(count, limit));
  }
}

interface Places {
  readonly starts: readonly number[];
  readonly lengths: readonly number[];
}

async function readBodies(file: FileHandle, positions: Uint32Array, places: Places): Promise<string[]> {
  let first = Number.POSITIVE_INFINITY;
  let last = 0;
  for (const position of positions) {
    first = Math.min(first, places.starts[position]!);
    last = Math.max(last, places.starts[position]! + places.lengths[position]!);
  }
  if (last - first <= LONGEST_READ) {
    const bytes = await readAt(file, first, last - first);
    return Array.from(positions, (position) => {
      const start = places.starts[position]! - first;
      return bytes.toString("utf8", start, start + places.lengths[position]!);
    });
  }
  const texts: string[] = [];
  for (const position of positions) {
    texts.push((await readAt(file, places.starts[position]!, places.lengths[position]!)).toString("utf8"));
  }
  return texts;
}

async function readAt(file: FileHandle, start: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  for (let done = 0; done < length; ) {
    const { bytesRead } = await file.read(bytes, done, length - done, start + done);
    if (bytesRead === 0) throw new Error("a file of rows has become shorter");
    done += bytesRead;
  }
  return bytes;
}
