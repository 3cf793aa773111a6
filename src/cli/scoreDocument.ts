import { createReadStream } from "node:fs";
import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RowScore, ScorerMetrics, Scoring } from "../scoring/index.js";

/** What is known of a scoring when its rows have been read. */
export interface ScoreSummary {
  name: string;
  metrics: ScorerMetrics | null;
  total: number;
  /** Rows that could not be judged, and the first of them. */
  failed: number;
  firstFailure: RowScore | undefined;
}

/**
 * Reads scorings to their ends and keeps their rows on the disk, so that the document of any number of rows takes no
 * more memory than that of a few.
 */
export class ScoreDocument {
  readonly summaries: ScoreSummary[] = [];
  readonly #parts: { name: string; file: string; tail: string }[] = [];
  #folder: string | undefined;

  /** Reads one scoring. */
  async add(name: string, scoring: Scoring): Promise<void> {
    this.#folder ??= await mkdtemp(join(tmpdir(), "elenchus-score-"));
    const file = join(this.#folder, `${this.#parts.length}.json`);
    const summary: ScoreSummary = { name, metrics: null, total: 0, failed: 0, firstFailure: undefined };
    const handle = await open(file, "w");
    try {
      await writeRows(handle, counted(scoring.rows, summary));
    } finally {
      await handle.close();
    }
    summary.metrics = scoring.metrics();
    const details = scoring.details();
    const tail = JSON.stringify({ metrics: summary.metrics, ...(details !== null && { details }) });
    this.#parts.push({ name, file, tail });
    this.summaries.push(summary);
  }

  /** The document of `score --json`, piece by piece: one scorer's object, or all by name. */
  async *text(): AsyncGenerator<string> {
    const several = this.#parts.length > 1;
    for (const [index, { name, file, tail }] of this.#parts.entries()) {
      if (several) yield `${index === 0 ? "{" : ","}${JSON.stringify(name)}:`;
      yield `{"scorer":${JSON.stringify(name)},"rows":[`;
      yield* createReadStream(file, "utf8") as AsyncIterable<string>;
      yield `],${tail.slice(1)}`;
    }
    yield several ? "}\n" : "\n";
  }

  /** Removes what was kept. */
  async close(): Promise<void> {
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true });
  }
}

async function* counted(rows: AsyncIterable<RowScore>, summary: ScoreSummary): AsyncGenerator<RowScore> {
  for await (const row of rows) {
    summary.total++;
    if (row.error !== undefined) {
      summary.failed++;
      summary.firstFailure ??= row;
    }
    yield row;
  }
}

async function writeRows(handle: FileHandle, rows: AsyncIterable<RowScore>): Promise<void> {
  let text = "";
  let separator = "";
  for await (const row of rows) {
    text += separator + JSON.stringify(row);
    separator = ",";
    if (text.length < WRITTEN_AT_ONCE) continue;
    await handle.appendFile(text);
    text = "";
  }
  await handle.appendFile(text);
}

/** Characters. */
const WRITTEN_AT_ONCE = 65_536;
