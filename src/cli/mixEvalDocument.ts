import { type MixEvalResponse, MixEvalScores, type ParsedResponse } from "../scoring/index.js";

/** The document of `mixeval score`: scores of all rows of all files, and each row's. */
export class MixEvalDocument {
  readonly scores = new MixEvalScores();
  readonly #rows: MixEvalScoredRow[] = [];
  #random = 0;

  add(file: string, { id, row }: MixEvalResponse, { score, parsed, random }: ParsedResponse): void {
    this.scores.add(row, score);
    if (random) this.#random++;
    this.#rows.push({ file, id, score, parsed, random });
  }

  /** Answers for which the original would draw a letter. */
  get random(): number {
    return this.#random;
  }

  toJSON(): Record<string, unknown> {
    const { overall, benchmarks, unjudged } = this.scores;
    return {
      overall,
      benchmarks: Object.fromEntries(benchmarks),
      random: this.#random,
      ...(unjudged > 0 && { unjudged }),
      rows: this.#rows,
    };
  }
}

interface MixEvalScoredRow extends ParsedResponse {
  readonly file: string;
  readonly id: string;
}
