import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";
import { ElenchusError, makeFolder, messageOf } from "../../base/index.js";

/** A row as it stands in a file. */
export type LoggedRow = Readonly<Record<string, unknown>>;

/**
 * JSON lines that are only appended, each with one write, so that a process may be killed at any point: a last line
 * without its end is cut off when the file is opened again.
 */
export class RowLog {
  /** What the file held when it was opened, in its order. */
  readonly rows: readonly LoggedRow[];
  readonly path: string;
  readonly #file: FileHandle;
  #last: Promise<void> = Promise.resolve();

  private constructor(path: string, file: FileHandle, rows: readonly LoggedRow[]) {
    this.path = path;
    this.#file = file;
    this.rows = rows;
  }

  /** Makes the file, and its folder, where they are not there. @throws PATH_UNWRITABLE; DATA_INVALID naming a line */
  static async open(path: string): Promise<RowLog> {
    const file = await makeFolder(dirname(path))
      .then(() => open(path, "a+"))
      .catch((error: unknown) => {
        throw unwritable(path, error);
      });
    try {
      const text = await file.readFile("utf8");
      const whole = text.slice(0, text.lastIndexOf("\n") + 1);
      if (whole.length < text.length) await file.truncate(Buffer.byteLength(whole));
      return new RowLog(path, file, parsedRows(whole, path));
    } catch (error) {
      await file.close();
      throw error instanceof ElenchusError ? error : unwritable(path, error);
    }
  }

  /** Resolves when the row is safe from the end of the process. @throws PATH_UNWRITABLE */
  append(row: LoggedRow): Promise<void> {
    const line = `${JSON.stringify(row)}\n`;
    const written = this.#last.then(async () => {
      await this.#file.appendFile(line).catch((error: unknown) => {
        throw unwritable(this.path, error);
      });
    });
    this.#last = written.catch(() => {});
    return written;
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#file.close();
  }
}

/** The rows of a file that is not written to; none where it does not exist, and a torn last line is none. */
export function parsedRows(text: string, path: string): LoggedRow[] {
  const lines = text.slice(0, text.lastIndexOf("\n") + 1).split("\n");
  return lines.flatMap((line, place) => (line.trim() === "" ? [] : [rowOf(line, `${path}:${place + 1}`)]));
}

function rowOf(line: string, place: string): LoggedRow {
  try {
    const row: unknown = JSON.parse(line);
    if (typeof row === "object" && row !== null && !Array.isArray(row)) return row as LoggedRow;
  } catch {
    // Told below, as what is JSON but no object.
  }
  throw new ElenchusError(
    "DATA_INVALID",
    `${place} is no row: expected a JSON object on a line of its own. Remove the line or the file.`,
  );
}

function unwritable(path: string, error: unknown): ElenchusError {
  return new ElenchusError("PATH_UNWRITABLE", `${path} cannot be written: ${messageOf(error)}.`, {
    cause: error,
  });
}
