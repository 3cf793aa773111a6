import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { ElenchusError, fileNamePart, makeFolder, messageOf } from "../../../base/index.js";
import type { Stage, StageRow, StageStore } from "./stageStore.js";

/**
 * Stages as files of a folder, `<stage>.jsonl`: a line `{"index", "row"}` for each row, in the order in which they
 * came. A line that a killed process left torn is none. Only one process may write to a folder at a time.
 */
export class FileStages implements StageStore {
  readonly #folder: string;
  readonly #files = new Map<Stage, Promise<StageFile>>();

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** @throws PATH_UNWRITABLE */
  static async open(folder: string): Promise<FileStages> {
    await makeFolder(folder).catch((error: unknown) => {
      throw unwritable(folder, error);
    });
    return new FileStages(folder);
  }

  async has(stage: Stage, index: number): Promise<boolean> {
    return (await this.#file(stage)).has(index);
  }

  async append(stage: Stage, index: number, row: unknown): Promise<void> {
    await (await this.#file(stage)).append(index, row);
  }

  async *rows(stage: Stage): AsyncGenerator<StageRow> {
    yield* (await this.#file(stage)).rows();
  }

  /** Flushes all files to the disk and closes them. */
  async close(): Promise<void> {
    const files = [...this.#files.values()];
    this.#files.clear();
    // One that could not be opened has closed itself.
    for (const file of files) await (await file.catch(() => undefined))?.close();
  }

  #file(stage: Stage): Promise<StageFile> {
    const known = this.#files.get(stage);
    if (known !== undefined) return known;
    const file = StageFile.open(join(this.#folder, `${fileNamePart(stage)}.jsonl`));
    this.#files.set(stage, file);
    return file;
  }
}

function unwritable(path: string, error: unknown): ElenchusError {
  return new ElenchusError(
    "PATH_UNWRITABLE",
    `${path} cannot keep the rows of an evaluation: ${messageOf(error)}. Name a folder that can be written.`,
    { cause: error },
  );
}

/** Where a line is in its file, in bytes. */
interface Line {
  readonly start: number;
  readonly length: number;
}

const lineSchema = z.object({ index: z.int().min(0), row: z.unknown() });
const LINE_FEED = 0x0a;
/** Bytes that are read at once. */
const BLOCK = 64 * 1024;

/** One stage's file, with the place of every row in it. */
class StageFile {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #lines = new Map<number, Line>();
  /** Rows that were given and are not written yet. */
  #waiting = new Map<number, Buffer>();
  #writing: Promise<void> | undefined;
  #end = 0;

  private constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
  }

  static async open(path: string): Promise<StageFile> {
    const handle = await open(path, "a+").catch((error: unknown) => {
      throw unwritable(path, error);
    });
    const file = new StageFile(path, handle);
    try {
      await file.#read();
    } catch (error) {
      await file.#file.close();
      throw error;
    }
    return file;
  }

  has(index: number): boolean {
    return this.#lines.has(index);
  }

  /** Rows that come while others are written go together in the next write. */
  async append(index: number, row: unknown): Promise<void> {
    while (!this.#lines.has(index)) {
      if (!this.#waiting.has(index)) {
        this.#waiting.set(index, Buffer.from(`${JSON.stringify({ index, row })}\n`));
      }
      this.#writing ??= this.#write().finally(() => {
        this.#writing = undefined;
      });
      await this.#writing;
    }
  }

  async *rows(): AsyncGenerator<StageRow> {
    const indices = Float64Array.from(this.#lines.keys()).sort();
    // Neighbours in the stage are mostly neighbours in the file.
    let block: { start: number; bytes: Buffer } = { start: 0, bytes: Buffer.alloc(0) };
    for (const index of indices) {
      const { start, length } = this.#lines.get(index)!;
      if (start < block.start || start + length > block.start + block.bytes.length) {
        block = { start, bytes: await this.#bytesAt(start, Math.max(length, BLOCK)) };
      }
      const line = block.bytes.subarray(start - block.start, start - block.start + length);
      yield lineSchema.parse(JSON.parse(line.toString("utf8")));
    }
  }

  async #bytesAt(start: number, length: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(length);
    const { bytesRead } = await this.#file.read(bytes, 0, length, start);
    return bytes.subarray(0, bytesRead);
  }

  async close(): Promise<void> {
    try {
      await this.#writing;
      await this.#file.sync();
    } finally {
      await this.#file.close();
    }
  }

  async #write(): Promise<void> {
    const batch = this.#waiting;
    this.#waiting = new Map();
    const bytes = Buffer.concat([...batch.values()]);
    try {
      await this.#file.appendFile(bytes);
    } catch (error) {
      // A part of it may be there; what comes next must not stand on the same line.
      await this.#file.truncate(this.#end).catch(() => {});
      throw unwritable(this.#path, error);
    }
    for (const [index, { length }] of batch) {
      this.#lines.set(index, { start: this.#end, length });
      this.#end += length;
    }
  }

  /** Finds the places of all rows, and cuts off a line without its end. */
  async #read(): Promise<void> {
    let begun: Buffer[] = [];
    let start = 0;
    for await (const chunk of this.#file.createReadStream({ start: 0, autoClose: false })) {
      let from = 0;
      for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
        const line = Buffer.concat([...begun, chunk.subarray(from, end)]);
        this.#note(line, start);
        start += line.length + 1;
        begun = [];
        from = end + 1;
      }
      begun.push(chunk.subarray(from));
    }
    this.#end = start;
    if (begun.some(({ length }) => length > 0)) await this.#file.truncate(start);
  }

  #note(line: Buffer, start: number): void {
    try {
      const { index } = lineSchema.parse(JSON.parse(line.toString("utf8")));
      if (!this.#lines.has(index)) this.#lines.set(index, { start, length: line.length + 1 });
    } catch (error) {
      throw new ElenchusError(
        "RECORD_CORRUPT",
        `${this.#path} has a line that is no row of a stage, at byte ${start}: ${messageOf(error)}. Remove the folder to begin anew.`,
        { cause: error },
      );
    }
  }
}
