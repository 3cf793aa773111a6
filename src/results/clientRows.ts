import { rm } from "node:fs/promises";
import { cellText } from "./cells.js";
import { hasHeader } from "./csvFile.js";
import { type Cells, ExpandingCsv, type ExpandingCsvOptions } from "./expandingCsv.js";
import { readTable } from "./readTable.js";
import type { RoundRecord } from "./recordRow.js";

/** `<run_id>_accuracy.csv`: the scalar of each client that tested. The file appears with its first row. */
export class ClientRows {
  readonly #path: string;
  readonly #options: ExpandingCsvOptions;
  #csv: ExpandingCsv | null;

  private constructor(path: string, options: ExpandingCsvOptions, csv: ExpandingCsv | null) {
    this.#path = path;
    this.#options = options;
    this.#csv = csv;
  }

  /** Begins anew; an older file is removed. */
  static async start(path: string, options: ExpandingCsvOptions): Promise<ClientRows> {
    await rm(path, { force: true });
    return new ClientRows(path, options, null);
  }

  /** Goes on behind the rows of the rounds up to `lastRound`; rows of later rounds are cut. */
  static async reopen(path: string, lastRound: number, options: ExpandingCsvOptions): Promise<ClientRows> {
    const keep = await rowsUpTo(path, lastRound);
    if (keep === 0) return ClientRows.start(path, options);
    return new ClientRows(path, options, await ExpandingCsv.open(path, { ...options, keep }));
  }

  /** Appends a round's rows, all in one write. */
  async append({ round, clients }: RoundRecord): Promise<void> {
    if (clients.length === 0) return;
    const rows = clients.map(
      ({ clientId, metric, value }): Cells =>
        new Map([
          ["round", String(round)],
          ["client_id", String(clientId)],
          [metric === "round" || metric === "client_id" ? `${metric}_metric` : metric, cellText(value)],
        ]),
    );
    const columns = [...new Set(rows.flatMap((row) => [...row.keys()]))];
    this.#csv ??= await ExpandingCsv.create(this.#path, columns, this.#options);
    await this.#csv.append(rows);
  }

  async close(): Promise<void> {
    await this.#csv?.close();
  }
}

/** Rounds ascend, so the rows that stay come first. */
async function rowsUpTo(path: string, lastRound: number): Promise<number> {
  if (!(await hasHeader(path))) return 0;
  const { rows } = await readTable(path);
  const later = rows.findIndex((row) => Number(row.get("round")) > lastRound);
  return later === -1 ? rows.length : later;
}
