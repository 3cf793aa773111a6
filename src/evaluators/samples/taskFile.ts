import { type FileHandle, open, rename, rm } from "node:fs/promises";

/** Bytes that wait in memory. */
const PIECE_BYTES = 64 * 1024;

/** A file of one task's samples while it is written: a piece in memory, the rest on the disk. */
export class TaskFile {
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #bytes = 0;
  #left = 0;

  private constructor(
    private readonly path: string,
    private readonly file: FileHandle,
    readonly limit: number,
  ) {}

  static async create(path: string, limit: number): Promise<TaskFile> {
    return new TaskFile(path, await open(path, "wx"), limit);
  }

  async write(line: Buffer): Promise<void> {
    // Once one is left out, so are all behind it: a file is a beginning, not a choice of the short ones.
    if (this.#left > 0 || this.#bytes + line.length > this.limit) {
      this.#left += 1;
      return;
    }
    this.#bytes += line.length;
    this.#waiting.push(line);
    this.#waitingBytes += line.length;
    if (this.#waitingBytes >= PIECE_BYTES) await this.#flush();
  }

  /** @returns how many samples are left out */
  async finish(path: string): Promise<number> {
    await this.#flush();
    await this.file.sync();
    await this.file.close();
    await rename(this.path, path);
    return this.#left;
  }

  async discard(): Promise<void> {
    await this.file.close().catch(() => {});
    await rm(this.path, { force: true });
  }

  async #flush(): Promise<void> {
    const piece = Buffer.concat(this.#waiting);
    this.#waiting = [];
    this.#waitingBytes = 0;
    await this.file.writeFile(piece);
  }
}
