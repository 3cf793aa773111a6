import { z } from "zod";
import type { Storage } from "../storage/index.js";

/** A line of a job's log. */
export interface LogLine {
  /** Its place in the log, from 0. */
  readonly index: number;
  /** ISO 8601 in UTC. */
  readonly time: string;
  readonly text: string;
}

const lineSchema = z.object({ time: z.string(), text: z.string() });
const STAGE = "log";

/** The logs of jobs in a storage. */
export class JobLogs {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** Adds lines behind the last. */
  async add(id: string, texts: readonly string[]): Promise<void> {
    const time = new Date(await this.#storage.now()).toISOString();
    const lines = texts.map((text) => ({ time, text }));
    await this.#storage.push(logOf(id), STAGE, lines);
  }

  /** The lines from a place on; none for a job without a log. */
  async lines(id: string, from = 0, limit = Number.POSITIVE_INFINITY): Promise<LogLine[]> {
    const lines: LogLine[] = [];
    for await (const { index, row } of this.#storage.rows(logOf(id), STAGE, { from, limit })) {
      lines.push({ index, ...lineSchema.parse(row) });
    }
    return lines;
  }

  remove(id: string): Promise<void> {
    return this.#storage.removeRows(logOf(id));
  }
}

function logOf(id: string): string {
  return `job-log/${id}`;
}
