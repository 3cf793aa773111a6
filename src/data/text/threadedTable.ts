import { once } from "node:events";
import { stat } from "node:fs/promises";
import { ElenchusError, type ErrorCode, entryFile, messageOf, startThread } from "../../base/index.js";
import { type PlacedRow, tableFormat, tableRows } from "./tableFile.js";

/** What the reading thread answers: rows, and what comes behind them. */
export type TableAnswer =
  | { readonly rows: readonly PlacedRow[]; readonly done: boolean }
  | {
      readonly rows: readonly PlacedRow[];
      readonly failed: { readonly code: ErrorCode; readonly message: string };
    };

/** Bytes that are read in no time. */
const SMALL = 256 * 1024;
/** Megabytes that a thread may hold: a workbook or a JSON array that unpacks to more ends the thread, not the process. */
const THREAD_MEMORY = 2048;

/** How a table is read. */
export interface ThreadedReading {
  /** The first rows. All when absent. */
  readonly rows?: number | undefined;
  /** Ends the reading; its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The rows of a table as `tableRows` gives them. Of a large file, and of a workbook, which may unpack to anything, a
 * thread of its own reads them, so that a server goes on answering meanwhile.
 * @throws as `tableRows`; DATA_INVALID where the thread runs out of memory
 */
export async function* threadedTable(
  file: string,
  { rows, signal }: ThreadedReading = {},
): AsyncGenerator<PlacedRow> {
  signal?.throwIfAborted();
  if (tableFormat(file) !== "xlsx" && (await isSmall(file))) {
    for await (const row of tableRows(file, { rows })) {
      signal?.throwIfAborted();
      yield row;
    }
    return;
  }
  const worker = startThread(entryFile(import.meta.url, "./tableThread"), {
    workerData: { file, rows },
    resourceLimits: { maxOldGenerationSizeMb: THREAD_MEMORY },
  });
  const ended = once(worker, "exit", { signal });
  // Heard where it is raced with an answer; at other times nobody waits for it.
  ended.catch(() => {});
  try {
    for (;;) {
      const answered = once(worker, "message", { signal });
      worker.postMessage("more");
      const [answer] = (await Promise.race([answered, ended.then(gone(file))])) as [TableAnswer];
      yield* answer.rows;
      if ("failed" in answer) throw new ElenchusError(answer.failed.code, answer.failed.message);
      if (answer.done) return;
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw error instanceof ElenchusError ? error : unreadable(file, error);
  } finally {
    await worker.terminate();
  }
}

async function isSmall(file: string): Promise<boolean> {
  const { size } = await stat(file).catch(() => ({ size: 0 }));
  // A packed file may be anything once it is unpacked.
  return size <= SMALL && !file.toLowerCase().endsWith(".gz");
}

function gone(file: string): () => never {
  return () => {
    throw unreadable(file, "the thread that read it has ended");
  };
}

function unreadable(file: string, error: unknown): ElenchusError {
  return new ElenchusError(
    "DATA_INVALID",
    `${file} cannot be read: ${messageOf(error)}. Expected a table that fits into ${THREAD_MEMORY} MiB of memory; JSON lines, CSV and parquet are read piece by piece.`,
  );
}
