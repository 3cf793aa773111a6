import { createHash } from "node:crypto";
import { ClusteredMean } from "./clusteredMean.js";
import type { MixEvalRow } from "./mixEvalRow.js";

/** A mean over rows, unrounded; null where no row has a score. */
export interface BenchmarkScore {
  readonly score: number | null;
  /** Rows with a score, repeats counted: they are the benchmark's weights. */
  readonly n: number;
}

/**
 * Gathers scores over rows of any files: overall and by benchmark, each row of equal weight, so that the figure does
 * not depend on the order of rows or on how they are spread over files. Equal to MixEval's up to its rounding to
 * three places within a file. Rows of one question are one cluster of the standard errors.
 */
export class MixEvalScores {
  readonly #all = new ClusteredMean();
  readonly #benchmarks = new Map<string, ClusteredMean>();
  #unjudged = 0;

  add(row: MixEvalRow, score: number | null): void {
    if (score === null) {
      this.#unjudged++;
      return;
    }
    const benchmark = this.#benchmarks.get(row.benchmark_name) ?? new ClusteredMean();
    this.#benchmarks.set(row.benchmark_name, benchmark);
    const question = questionKey(row);
    for (const mean of [this.#all, benchmark]) mean.add(question, score);
  }

  /** Of all rows; null for none. */
  get overall(): number | null {
    return this.#all.mean;
  }

  /** By the benchmark that a question comes from, sorted by name. */
  get benchmarks(): Map<string, BenchmarkScore> {
    return new Map([...this.means].map(([name, { mean, n }]) => [name, { score: mean, n }]));
  }

  /** All rows as a mean with its parts. */
  get all(): ClusteredMean {
    return this.#all;
  }

  /** Means with their parts by benchmark, sorted by name. */
  get means(): Map<string, ClusteredMean> {
    return new Map([...this.#benchmarks].sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  get count(): number {
    return this.#all.n;
  }

  /** Rows without a verdict. */
  get unjudged(): number {
    return this.#unjudged;
  }

  /** Different questions among the rows. */
  get distinct(): number {
    return this.#all.clusters;
  }

  /** Standard error of the overall score; null for fewer than two questions. */
  get standardError(): number | null {
    return this.#all.standardError;
  }
}

/** Tells questions apart: rows that repeat one have equal keys, and can share an answer. */
export function questionKey(row: MixEvalRow): string {
  const told = JSON.stringify([
    row.problem_type,
    row.benchmark_name,
    row.context ?? null,
    row.prompt,
    row.options ?? null,
  ]);
  return createHash("sha256").update(told).digest("base64");
}
