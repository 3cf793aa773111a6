import type { MeasureRequest } from "./evaluation.js";
import { Evaluation } from "./evaluation.js";
import { failedRow, type RowMeasure } from "./rowMeasure.js";
import { type ReadText, readText, type ScoredText, scoreTexts } from "./scoredTexts.js";

/**
 * How well the model foresees texts: the exponential function of the mean negative log-likelihood of a token, over
 * all tokens of all rows. A text's first token is scored too, after the tokenizer's begin or end token.
 */
export abstract class PerplexityEvaluation<Options = Record<string, unknown>> extends Evaluation<Options> {
  readonly higherIsBetter: boolean = false;
  readonly transform: "identity" | "exp" = "exp";
  override readonly ofTotals = true;
  readonly unit: string = "perplexity";

  /** A text. */
  abstract override get(index: number): string | Promise<string>;

  override async measure(rows: readonly number[], request: MeasureRequest): Promise<RowMeasure[]> {
    const read = await Promise.all(
      rows.map(async (row) => {
        try {
          return { row, ...readText(await this.get(row), request) };
        } catch (cause) {
          return failedRow(row, cause);
        }
      }),
    );
    const good = read.filter((one): one is ReadText & { row: number } => "text" in one);
    const scored = await scoreTexts(good, request);
    let next = 0;
    return read.map((one) => ("text" in one ? this.#measured(one, scored[next++]!, request) : one));
  }

  /** What a text adds to the totals. */
  protected totals({ nll, tokens }: ScoredText): { numerator: number; denominator: number } {
    return { numerator: nll, denominator: tokens };
  }

  #measured(
    read: ReadText & { row: number },
    scored: ScoredText,
    { settings, samples }: MeasureRequest,
  ): RowMeasure {
    const { row, truncated } = read;
    const { numerator, denominator } = this.totals(scored);
    const ratio = numerator / Math.max(denominator, settings.compat === "theseus" ? 1 : 0);
    const value = this.transform === "exp" ? Math.exp(ratio) : ratio;
    if (!Number.isFinite(value)) return failedRow(row, new RangeError(`The text's value is ${value}.`));
    const { nll, tokens, bytes } = scored;
    const sample = {
      requests: [{ kind: "rolling", prompts: [read.text] }],
      answers: [{ log_likelihood: -nll, tokens, bytes }],
    };
    return { row, value, numerator, denominator, truncated, error: null, ...(samples && { sample }) };
  }
}
