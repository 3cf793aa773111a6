import { type FileHandle, open, stat } from "node:fs/promises";
import { ElenchusError } from "../base/index.js";
import { parseRecords, RecordScanner } from "./csvRecords.js";

const PIECE_BYTES = 64 * 1024;

/** Whether a CSV has a whole header: from then on its run exists. */
export async function hasHeader(path: string): Promise<boolean> {
  const present = await stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
  const file = present ? await openPresent(path) : null;
  if (file === null) return false;
  try {
    const scanner = new RecordScanner();
    for await (const piece of pieces(file, Number.POSITIVE_INFINITY)) {
      if (scanner.ends(piece).length > 0) return true;
    }
    return false;
  } finally {
    await file.close();
  }
}

/** Null where the file has gone since it was looked at. */
async function openPresent(path: string): Promise<FileHandle | null> {
  return open(path, "r").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
}

/** What stands in a CSV. */
export interface CsvState {
  columns: string[];
  rows: number;
  /** Bytes of the header and the whole rows. */
  size: number;
}

/**
 * Reads where a CSV's whole rows end.
 * @param keep rows to count at most
 * @throws RECORD_CORRUPT without a whole, sound header
 */
export async function csvState(path: string, file: FileHandle, keep: number): Promise<CsvState> {
  const scanner = new RecordScanner();
  const start: Buffer[] = [];
  let columns: string[] | undefined;
  let records = 0;
  let size = 0;
  let offset = 0;
  for await (const piece of pieces(file, Number.POSITIVE_INFINITY)) {
    for (const end of scanner.ends(piece)) {
      if (columns === undefined) {
        columns = headerColumns(path, Buffer.concat([...start, piece.subarray(0, end)]));
      }
      if (records > keep) break;
      records++;
      size = offset + end;
    }
    if (columns === undefined) start.push(Buffer.from(piece));
    offset += piece.length;
  }
  if (columns === undefined) throw corruptCsv(path, "it has no header");
  return { columns, rows: records - 1, size };
}

function headerColumns(path: string, header: Buffer): string[] {
  let columns: string[];
  try {
    columns = parseRecords(header)[0] ?? [];
  } catch (error) {
    throw corruptCsv(path, "its header is not CSV", error);
  }
  if (new Set(columns).size !== columns.length) throw corruptCsv(path, "its header names a column twice");
  return columns;
}

/** A file piece by piece; each piece is valid until the next is asked for. */
export async function* pieces(file: FileHandle, size: number): AsyncGenerator<Buffer> {
  const buffer = Buffer.alloc(PIECE_BYTES);
  let position = 0;
  while (position < size) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(PIECE_BYTES, size - position), position);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    position += bytesRead;
  }
}

/** The error of a CSV that cannot be gone on with. */
export function corruptCsv(path: string, found: string, cause?: unknown): ElenchusError {
  return new ElenchusError(
    "RECORD_CORRUPT",
    `${path} cannot be continued: ${found}. Expected the file as the run left it; restore it, or start a new run.`,
    { cause, details: { file: path } },
  );
}
