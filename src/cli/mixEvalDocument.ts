import {
  type MixEvalResponse,
  MixEvalScores,
  type ParsedResponse,
  placeFolder,
  type ResponsePlace,
} from "../scoring/index.js";

/** The document of `mixeval score`: scores of all rows of all files, of each model, and each row's. */
export class MixEvalDocument {
  readonly scores = new MixEvalScores();
  readonly #models = new Map<string, { place: ResponsePlace; scores: MixEvalScores }>();
  readonly #rows: MixEvalScoredRow[] = [];
  #random = 0;

  add(
    { file, place }: { file: string; place: ResponsePlace },
    { id, row }: MixEvalResponse,
    { score, parsed, random }: ParsedResponse,
  ): void {
    const key = placeFolder(place);
    const model = this.#models.get(key) ?? { place, scores: new MixEvalScores() };
    this.#models.set(key, model);
    for (const scores of [this.scores, model.scores]) scores.add(row, score);
    if (random) this.#random++;
    this.#rows.push({ file, id, score, parsed, random });
  }

  /** By whose answers they are, on what. */
  get models(): ReadonlyMap<ResponsePlace, MixEvalScores> {
    return new Map([...this.#models.values()].map(({ place, scores }) => [place, scores]));
  }

  /** Answers for which the original would draw a letter. */
  get random(): number {
    return this.#random;
  }

  get count(): number {
    return this.#rows.length;
  }

  toJSON(): Record<string, unknown> {
    const models = [...this.models];
    return {
      ...told(this.scores),
      random: this.#random,
      ...(this.scores.unjudged > 0 && { unjudged: this.scores.unjudged }),
      ...(models.length > 1 && {
        models: models.map(([place, scores]) => ({ ...place, ...told(scores), unjudged: scores.unjudged })),
      }),
      rows: this.#rows,
    };
  }
}

function told({ overall, benchmarks }: MixEvalScores) {
  return { overall, benchmarks: Object.fromEntries(benchmarks) };
}

interface MixEvalScoredRow extends ParsedResponse {
  readonly file: string;
  readonly id: string;
}
