import { z } from "zod";
import type { TokenLogits } from "../../language/index.js";
import { readLogits } from "../../language/nextToken.js";
import type { EvaluationInput } from "../evaluationInput.js";
import { EvaluationResult } from "../evaluationResult.js";
import { Evaluator } from "../evaluator.js";
import { EvaluationSkipped } from "../notEvaluated.js";
import { requestedLanguageModel } from "../requestedLanguageModel.js";
import { type LabelledRow, testRows } from "./testRows.js";

const options = z.strictObject({
  batch_size: z
    .int()
    .positive()
    .default(4)
    .meta({ description: "Rows that are handed to the model at once.", unit: "rows" }),
});

type Config = Readonly<z.output<typeof options> & { limit?: number }> & Readonly<Record<string, unknown>>;

/** Perplexity, bits per byte and accuracy of the next token, on the tokens of the test set that have a label. */
export class LanguageModelEvaluator extends Evaluator<Config> {
  static description = "Perplexity, bits per byte and token accuracy on the test set";
  static primaryMetric = "perplexity";
  static tokens = true;
  static options = options;
  static metrics = {
    perplexity: { higherIsBetter: false, unit: "perplexity" },
    bits_per_byte: { higherIsBetter: false, unit: "bits per byte" },
    token_accuracy: { higherIsBetter: true, unit: "fraction" },
  };

  /** @throws CAPABILITY_MISSING for a model or a test set without tokens; WEIGHTS_INVALID for a diverged model */
  async evaluate(request: EvaluationInput): Promise<EvaluationResult> {
    const { batch_size } = z.object(options.shape).parse(this.config);
    const { rows, sampled } = testRows(request, this.config.limit ?? -1);
    const { model, tokenizer, release } = await requestedLanguageModel(request, { unchanged: true });
    const bytesOf = (id: number) => tokenizer.tokenBytes(id).length;
    const sum: Sums = { nll: 0, tokens: 0, correct: 0, byteNll: 0, bytes: 0 };
    try {
      for (let start = 0; start < rows.length; start += batch_size) {
        const batch = rows.slice(start, start + batch_size);
        const logits = await model.forward(
          batch.map(({ ids }) => ids),
          { signal: request.signal },
        );
        batch.forEach((row, place) => void add(sum, row, logits[place]!, bytesOf));
        request.progress?.(start + batch.length, rows.length);
      }
    } finally {
      await release();
    }
    if (sum.tokens === 0) throw new EvaluationSkipped("no token of the test set has a label");
    return resultOf(sum, sampled);
  }
}

/** Over all labels; of bits per byte over those that stand for text, as nanochat counts them. */
interface Sums {
  /** Negative log-likelihood in nats. */
  nll: number;
  tokens: number;
  correct: number;
  byteNll: number;
  bytes: number;
}

function add(
  sum: Sums,
  { labels }: LabelledRow,
  { data, vocabularySize }: TokenLogits,
  bytesOf: (id: number) => number,
): void {
  labels.forEach((label, place) => {
    if (label < 0) return;
    const next = readLogits(data.subarray(place * vocabularySize, (place + 1) * vocabularySize));
    const nll = -next.logProbability(label);
    const bytes = bytesOf(label);
    sum.nll += nll;
    sum.tokens += 1;
    if (next.best === label) sum.correct += 1;
    if (bytes > 0) sum.byteNll += nll;
    sum.bytes += bytes;
  });
}

function resultOf(sum: Sums, sampled: { used: number; total: number }): EvaluationResult {
  const { metrics: declared } = LanguageModelEvaluator;
  const metrics: Record<string, number> = {
    perplexity: Math.exp(sum.nll / sum.tokens),
    ...(sum.bytes > 0 && { bits_per_byte: sum.byteNll / Math.LN2 / sum.bytes }),
    token_accuracy: sum.correct / sum.tokens,
  };
  const names = Object.keys(metrics) as (keyof typeof declared)[];
  const tokens = { denominator: sum.tokens };
  const bits = { numerator: sum.byteNll / Math.LN2, denominator: sum.bytes, transform: "identity" as const };
  return new EvaluationResult({
    evaluator: "language_model",
    primaryMetric: "perplexity",
    metrics,
    higherIsBetter: Object.fromEntries(names.map((name) => [name, declared[name].higherIsBetter])),
    metadata: { tokens: sum.tokens, bytes: sum.bytes },
    sums: {
      perplexity: { numerator: sum.nll, ...tokens, transform: "exp" },
      ...(sum.bytes > 0 && { bits_per_byte: bits }),
      token_accuracy: { numerator: sum.correct, ...tokens, transform: "identity" },
    },
    sampled,
  });
}
