import { ElenchusError } from "../base/index.js";
import { Evaluation } from "./evaluation.js";
import { failedRow, type RowMeasure, valued } from "./rowMeasure.js";
import { plainJson, type RowSample } from "./rowSample.js";

/** Marks a `score` that no subclass has written; known to every copy of the package. */
export const DEFAULT_SCORE = Symbol.for("elenchus.evaluations.defaultScore");

/** An answer of the model's, and what is said of it. */
export interface Judged<Y> {
  readonly row: number;
  readonly y: Y;
  readonly text: string;
  readonly truncated: boolean;
  /** What was asked, as a log shows it; absent where nothing is logged. */
  readonly asked?: object | undefined;
}

/**
 * An evaluation whose rows give texts that are judged. A subclass overrides `check`, or `score` where an answer can
 * be partly right; one with neither cannot be registered.
 */
export abstract class JudgedEvaluation<Y, YHat, Options> extends Evaluation<Options> {
  readonly higherIsBetter: boolean = true;
  readonly transform = "identity";
  readonly unit: string = "fraction";

  /** What of the model's text is judged; by default all of it. */
  clean(text: string): YHat | Promise<YHat> {
    return text as YHat;
  }

  /** Whether an answer is right. */
  check?(y: Y, yHat: YHat): boolean | Promise<boolean>;

  /**
   * One number for each answer, by default 1 where `check` says yes and 0 elsewhere. It is called with a batch of
   * rows, of which each has to be scored by itself.
   */
  score(ys: readonly Y[], yHats: readonly YHat[]): readonly number[] | Promise<readonly number[]> {
    return Promise.all(ys.map(async (y, place) => Number(await this.#checked(y, yHats[place]!))));
  }

  /** Cleans and scores. A failure of cleaning or checking is its row's; one of an own `score` the batch's. */
  protected async judge(answers: readonly Judged<Y>[]): Promise<RowMeasure[]> {
    const cleaned = await Promise.all(answers.map((answer) => this.#cleaned(answer)));
    const good = cleaned.filter((one): one is Cleaned<Y, YHat> => !("error" in one));
    const scores = isDefault(this.score) ? await this.#checks(good) : await this.#scores(good);
    const measures = new Map(good.map((one, place) => [one, scores[place]!]));
    return cleaned.map((one, place) => {
      const measure = "error" in one ? one : measures.get(one)!;
      return { ...measure, ...sampleOf(answers[place]!, "error" in one ? undefined : one.yHat) };
    });
  }

  async #cleaned(answer: Judged<Y>): Promise<Cleaned<Y, YHat> | RowMeasure> {
    try {
      return { ...answer, yHat: await this.clean(answer.text) };
    } catch (cause) {
      return failedRow(answer.row, cause);
    }
  }

  #checks(answers: readonly Cleaned<Y, YHat>[]): Promise<RowMeasure[]> {
    return Promise.all(
      answers.map(async ({ row, y, yHat, truncated }) => {
        try {
          return valued(row, Number(await this.#checked(y, yHat)), truncated);
        } catch (cause) {
          return failedRow(row, cause);
        }
      }),
    );
  }

  async #scores(answers: readonly Cleaned<Y, YHat>[]): Promise<RowMeasure[]> {
    if (answers.length === 0) return [];
    const scores = await this.score(
      answers.map(({ y }) => y),
      answers.map(({ yHat }) => yHat),
    );
    if (scores.length !== answers.length) {
      throw new ElenchusError(
        "DATA_INVALID",
        `The score of "${this.name}" gave ${scores.length} numbers for ${answers.length} answers: expected one each.`,
      );
    }
    return answers.map(({ row, truncated }, place) => valued(row, Number(scores[place]), truncated));
  }

  #checked(y: Y, yHat: YHat): boolean | Promise<boolean> {
    if (this.check !== undefined) return this.check(y, yHat);
    throw new ElenchusError("EVALUATION_CONFIG", neitherNor(`"${this.name}"`));
  }
}

/** What an answer was made into is told where that is something else. */
function sampleOf({ asked, y, text }: Judged<unknown>, yHat: unknown): { sample?: RowSample } {
  if (asked === undefined) return {};
  const cleaned = yHat === undefined || yHat === text ? {} : { cleaned: plainJson(yHat) };
  return { sample: { requests: [asked], answers: [{ text, ...cleaned }], gold: plainJson(y) } };
}

type Cleaned<Y, YHat> = Judged<Y> & { readonly yHat: YHat };

Object.defineProperty(JudgedEvaluation.prototype.score, DEFAULT_SCORE, { value: true });

/** Whether a `score` is the one that asks `check`. */
export function isDefault(score: unknown): boolean {
  return typeof score === "function" && DEFAULT_SCORE in score;
}

/** What is said of an evaluation that cannot judge. */
export function neitherNor(which: string): string {
  return `The evaluation ${which} overrides neither check nor score: nothing says whether an answer is right. Write check(y, yHat), or score(ys, yHats).`;
}
