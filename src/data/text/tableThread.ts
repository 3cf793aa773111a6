import { parentPort, workerData } from "node:worker_threads";
import { ElenchusError, messageOf } from "../../base/index.js";
import { type PlacedRow, tableRows } from "./tableFile.js";
import type { TableAnswer } from "./threadedTable.js";

/** Reads a table for another thread, a piece at a time, each when it is asked for. */
const PIECE = 256;

const { file, rows } = workerData as { file: string; rows: number | undefined };
const source = tableRows(file, { rows });

parentPort?.on("message", async () => {
  parentPort?.postMessage(await nextPiece());
});

async function nextPiece(): Promise<TableAnswer> {
  const piece: PlacedRow[] = [];
  try {
    while (piece.length < PIECE) {
      const { done, value } = await source.next();
      if (done) return { rows: piece, done: true };
      piece.push(value);
    }
    return { rows: piece, done: false };
  } catch (error) {
    const code = error instanceof ElenchusError ? error.code : "DATA_INVALID";
    return { rows: piece, failed: { code, message: messageOf(error) } };
  }
}
