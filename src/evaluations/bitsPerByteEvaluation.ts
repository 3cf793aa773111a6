import { PerplexityEvaluation } from "./perplexityEvaluation.js";
import type { ScoredText } from "./scoredTexts.js";

/**
 * Perplexity that can be compared between tokenizers: bits of all tokens over bytes (UTF-8) of all texts, as far as
 * they were read.
 */
export abstract class BitsPerByteEvaluation<
  Options = Record<string, unknown>,
> extends PerplexityEvaluation<Options> {
  override readonly transform = "identity";
  override readonly unit = "bits per byte";

  protected override totals({ nll, bytes }: ScoredText): { numerator: number; denominator: number } {
    return { numerator: nll / Math.LN2, denominator: bytes };
  }
}
