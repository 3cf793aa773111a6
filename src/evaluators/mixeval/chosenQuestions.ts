import { createRandom } from "../../base/index.js";
import type { MixEvalBenchmark, MixEvalRow, QuestionKind, Release } from "../../scoring/index.js";

/** A row that is asked about. */
export interface ChosenQuestion {
  readonly benchmark: MixEvalBenchmark;
  readonly kind: QuestionKind;
  readonly id: string;
  readonly row: MixEvalRow;
}

/** The rows that a limit leaves. */
export interface ChosenQuestions {
  readonly questions: readonly ChosenQuestion[];
  /** Rows without a limit. */
  readonly total: number;
}

/** All rows of a release, or of each benchmark a sample that depends on the seed alone: the same rows every round. */
export function chosenQuestions(
  { splits }: Release,
  limit: number | undefined,
  seed: number,
): ChosenQuestions {
  const all = new Map<MixEvalBenchmark, ChosenQuestion[]>();
  for (const { benchmark, kind, rows } of splits) {
    const questions = all.get(benchmark) ?? [];
    all.set(benchmark, questions);
    for (const [id, row] of rows) questions.push({ benchmark, kind, id, row });
  }
  const chosen = [...all].flatMap(([benchmark, questions]) => {
    if (limit === undefined || limit >= questions.length) return questions;
    const places = createRandom(seed, `mixeval ${benchmark}`).sample(questions.length, limit);
    return [...places].sort((one, other) => one - other).map((place) => questions[place]!);
  });
  return { questions: chosen, total: [...all.values()].reduce((sum, { length }) => sum + length, 0) };
}
