// The run's record: what a row costs behind 100 rows and behind 100,000, and what a new column costs. Bytes are
// counted by the record and computed here from the texts. Run: node --import tsx bench/results.ts
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ExpandingCsv, RunRecord } from "../src/results/index.js";

const FEW = 100;
const MANY = 100_000;
const WARM_UP = 50;
const PAIRS = 501;
/** Largest cost of a row behind many as a multiple of one behind few. */
const TARGET = 1.5;
const TYPES = ["round", "accuracy", "elapsed_time"];

const folder = await mkdtemp(join(tmpdir(), "elenchus-bench-results-"));
try {
  const few = await recordBehind("few", FEW);
  const many = await recordBehind("many", MANY);
  const pairs: { few: number; many: number }[] = [];
  for (let pair = -WARM_UP; pair < PAIRS; pair++) {
    const times = {
      few: await timed(() => few.append(row(few.rows + 1))),
      many: await timed(() => many.append(row(many.rows + 1))),
    };
    if (pair >= 0) pairs.push(times);
  }
  await few.finish("completed");
  await many.finish("completed");

  const ratio = median(pairs.map((pair) => pair.many / pair.few));
  const columns = await newColumns();
  console.log(
    JSON.stringify({
      row_behind_100_us: Math.round(1000 * median(pairs.map((pair) => pair.few))),
      row_behind_100000_us: Math.round(1000 * median(pairs.map((pair) => pair.many))),
      ratio: Number(ratio.toFixed(2)),
      target: TARGET,
      ...columns,
    }),
  );
  process.exitCode = ratio > TARGET || columns.bytes_written !== columns.bytes_computed ? 1 : 0;
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** A record that has so many rows already. */
async function recordBehind(runId: string, rows: number): Promise<RunRecord> {
  const csv = await ExpandingCsv.create(join(folder, `${runId}.csv`), TYPES, { sync: false });
  const cells = Array.from({ length: rows }, (_, index) => {
    const { items } = row(index + 1);
    return new Map(TYPES.map((type) => [type, String(items[type as keyof typeof items])]));
  });
  await csv.append(cells);
  await csv.close();
  return RunRecord.continue({ resultPath: folder, runId, types: TYPES, sync: false }, rows);
}

function row(round: number) {
  return {
    round,
    items: { round, accuracy: 1 / round, elapsed_time: round * 1.5 },
    evaluations: [],
    clients: [],
  };
}

/** A thousand rows; every hundredth brings two new columns, which must cost one rewrite of the file. */
async function newColumns() {
  const csv = await ExpandingCsv.create(join(folder, "columns.csv"), TYPES, { sync: false });
  const columns: string[] = [...TYPES];
  const header = () => columns.join(",").length + 1;
  // Digits of the round, two cells of one digit where it brought columns, commas, line feed.
  const line = (round: number) => String(round).length + (isNew(round) ? 2 : 0) + columns.length;
  let computed = header();
  let rewrites = 0;
  for (let round = 1; round <= 1000; round++) {
    const added = isNew(round) ? [`a_${round}`, `b_${round}`] : [];
    columns.push(...added);
    await csv.append([new Map([["round", String(round)], ...added.map((column) => [column, "1"] as const)])]);
    computed += line(round);
    if (added.length === 0) continue;
    rewrites++;
    computed += header();
    for (let earlier = 1; earlier < round; earlier++) computed += line(earlier);
  }
  await csv.close();
  return { rewrites, bytes_written: csv.bytesWritten, bytes_computed: computed };
}

function isNew(round: number): boolean {
  return round % 100 === 0;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
