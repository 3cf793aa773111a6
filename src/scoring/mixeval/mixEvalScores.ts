import { createHash } from "node:crypto";
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
 * three places within a file.
 */
export class MixEvalScores {
  readonly #sums = new Map<string, { sum: number; n: number }>();
  readonly #clusters = new Map<string, { sum: number; n: number }>();
  #unjudged = 0;

  add(row: MixEvalRow, score: number | null): void {
    if (score === null) {
      this.#unjudged++;
      return;
    }
    gather(this.#sums, row.benchmark_name, score);
    gather(this.#clusters, questionKey(row), score);
  }

  /** Of all rows; null for none. */
  get overall(): number | null {
    return mean(total(this.#sums.values()));
  }

  /** By the benchmark that a question comes from, sorted by name. */
  get benchmarks(): Map<string, BenchmarkScore> {
    const names = [...this.#sums.keys()].sort();
    return new Map(
      names.map((name) => {
        const part = this.#sums.get(name)!;
        return [name, { score: mean(part), n: part.n }];
      }),
    );
  }

  get count(): number {
    return total(this.#sums.values()).n;
  }

  /** Rows without a verdict. */
  get unjudged(): number {
    return this.#unjudged;
  }

  /** Different questions among the rows. */
  get distinct(): number {
    return this.#clusters.size;
  }

  /**
   * Standard error of the overall score, rows of one question taken as one cluster (Miller 2024, "Adding error bars
   * to evals"); null for fewer than two questions.
   */
  get standardError(): number | null {
    const { n } = total(this.#clusters.values());
    const overall = this.overall;
    if (overall === null || this.#clusters.size < 2) return null;
    let squares = 0;
    for (const { sum, n: rows } of this.#clusters.values()) squares += (sum - overall * rows) ** 2;
    const clusters = this.#clusters.size;
    return (Math.sqrt(squares) / n) * Math.sqrt(clusters / (clusters - 1));
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

function gather(sums: Map<string, { sum: number; n: number }>, name: string, score: number): void {
  const part = sums.get(name) ?? { sum: 0, n: 0 };
  part.sum += score;
  part.n++;
  sums.set(name, part);
}

function total(parts: Iterable<{ sum: number; n: number }>): { sum: number; n: number } {
  let sum = 0;
  let n = 0;
  for (const part of parts) {
    sum += part.sum;
    n += part.n;
  }
  return { sum, n };
}

function mean({ sum, n }: { sum: number; n: number }): number | null {
  return n === 0 ? null : sum / n;
}
