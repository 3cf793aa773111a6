import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { createRandom } from "../src/base/index.js";
import type { TableRow } from "../src/data/index.js";

/** Rows of one benchmark, by split. */
export type Splits = Readonly<Record<string, readonly TableRow[]>>;

/** Rows of the benchmarks that are measured. */
export interface BenchmarkRows {
  readonly from: "PARITY_DATA" | "made up, as long as real ones";
  readonly arc: Splits;
  readonly hellaswag: Splits;
  readonly gsm8k: Splits;
}

/** The real rows where PARITY_DATA names a folder with them, else ones about as long. */
export function benchmarkRows(): BenchmarkRows {
  const folder = process.env.PARITY_DATA;
  return folder ? realRows(join(folder, "benchmarks")) : madeUpRows();
}

function realRows(folder: string): BenchmarkRows {
  const rows = (file: string) =>
    gunzipSync(readFileSync(join(folder, `${file}.jsonl.gz`)))
      .toString()
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as TableRow);
  const split = (path: string, names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, rows(`${path}${name}`)]));
  const hellaswag = rows("hellaswag/validation-raw-1000");
  return {
    from: "PARITY_DATA",
    arc: split("arc/ARC-Easy-", ["train", "validation", "test"]),
    hellaswag: { train: hellaswag, validation: hellaswag },
    gsm8k: split("gsm8k/", ["train", "test"]),
  };
}

function madeUpRows(): BenchmarkRows {
  const random = createRandom(1, "bench", "rows");
  const words = (least: number, most: number) =>
    Array.from({ length: least + random.int(most - least + 1) }, () => WORDS[random.int(WORDS.length)]!).join(
      " ",
    );
  const many = (count: number, make: () => TableRow) => Array.from({ length: count }, make);
  const arc = () => ({
    question: `${words(10, 30)}?`,
    choices: { text: Array.from({ length: 4 }, () => words(1, 6)), label: ["A", "B", "C", "D"] },
    answerKey: "ABCD"[random.int(4)]!,
  });
  const hellaswag = () => ({
    activity_label: words(2, 3),
    ctx_a: `${words(20, 60)}.`,
    ctx_b: words(1, 3),
    endings: Array.from({ length: 4 }, () => `${words(10, 30)}.`),
    label: String(random.int(4)),
  });
  const gsm8k = () => ({
    question: `${words(30, 60)}?`,
    answer: `${words(50, 90)}\n#### ${random.int(100)}`,
  });
  const endings = many(100, hellaswag);
  return {
    from: "made up, as long as real ones",
    arc: { train: many(100, arc), validation: many(10, arc), test: many(100, arc) },
    hellaswag: { train: endings, validation: endings },
    gsm8k: { train: many(50, gsm8k), test: many(50, gsm8k) },
  };
}

const WORDS =
  "the a of and to in is which plant planet water energy light animal rock cell heat force sound moon soil air an this that from by for with because most likely causes changes moves grows forms uses needs shows person man woman ball dog street house hand paper then down over around into under minutes dollars each more less total half buys sells".split(
    " ",
  );
