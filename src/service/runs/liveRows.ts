import { setTimeout as sleep } from "node:timers/promises";
import type { EventStream } from "../http/eventStream.js";
import { hasEnded, type RecordReader } from "./recordReader.js";
import { rowsFrom, runView } from "./runView.js";

/** Between two looks at the files, in milliseconds. Watching a folder does not work on every file system. */
const PAUSE = 500;
/** Rows in one event. */
const MOST_ROWS = 1000;

/**
 * Tells a run's rows as they are recorded: `run` with the whole document at the beginning and whenever the columns
 * change, `rows` with `{ from, rows }`, `end` with `{ status }` when it has ended.
 * @param from rows that the client has; absent: none, and not the columns either
 */
export async function tellLiveRows(
  reader: RecordReader,
  runId: string,
  from: number | undefined,
  { stream, signal }: { stream: () => EventStream; signal: AbortSignal },
): Promise<void> {
  let columns: string | undefined;
  let told = from ?? 0;
  let version: string | undefined;
  for (;;) {
    const read = await reader.read(runId);
    const { table, run } = read;
    if (read.version !== version) {
      version = read.version;
      const names = table.columns.join("\n");
      const grown = columns !== undefined && columns !== names;
      // A client that names a row knows the columns; an event that says otherwise would come at the next change.
      if (grown || (columns === undefined && from === undefined)) {
        const view = runView(read, { from: 0, limit: MOST_ROWS });
        await stream().send(view, "run", view.rows.length);
        told = view.rows.length;
      }
      columns = names;
      while (told < table.rows.length && !signal.aborted) {
        const rows = rowsFrom(table, told, MOST_ROWS);
        const start = told;
        told += rows.length;
        await stream().send({ from: start, rows }, "rows", told);
      }
    }
    if (hasEnded(run.manifest)) {
      await stream().send({ status: run.manifest?.status ?? null }, "end");
      return;
    }
    stream();
    try {
      await sleep(PAUSE, undefined, { signal });
    } catch {
      return;
    }
  }
}
