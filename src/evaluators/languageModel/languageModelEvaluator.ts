import { z } from "zod";
import { ratioError } from "../../evaluations/ratioError.js";
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

/** What the test set is called where rows are logged. */
const TASK = "test";

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
    const measured: Sums[] = [];
    const { samples } = request;
    try {
      for (let start = 0; start < rows.length; start += batch_size) {
        const batch = rows.slice(start, start + batch_size);
        const logits = await model.forward(
          batch.map(({ ids }) => ids),
          { signal: request.signal },
        );
        for (const [place, row] of batch.entries()) {
          const own = sumsOf(row, logits[place]!, bytesOf);
          add(sum, own);
          if (own.tokens > 0) measured.push(own);
          await samples?.add(TASK, { doc: row.row, ...rowSample(tokenizer.decode(row.ids), own) });
        }
        request.progress?.(start + batch.length, rows.length);
      }
    } finally {
      await release();
    }
    if (sum.tokens === 0) throw new EvaluationSkipped("no token of the test set has a label");
    return resultOf(sum, measured, sampled);
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

function sumsOf(
  { labels }: LabelledRow,
  { data, vocabularySize }: TokenLogits,
  bytesOf: (id: number) => number,
): Sums {
  const sum: Sums = { nll: 0, tokens: 0, correct: 0, byteNll: 0, bytes: 0 };
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
  return sum;
}

function add(sum: Sums, own: Sums): void {
  for (const key of Object.keys(sum) as (keyof Sums)[]) sum[key] += own[key];
}

/** A row as it is logged. Which tokens were right says more of it than how likely they all were. */
function rowSample(text: string, sums: Sums) {
  const { nll, tokens, correct, bytes } = sums;
  const { perplexity, bits_per_byte, token_accuracy } = metricsOf(sums);
  return {
    requests: [{ kind: "rolling", prompts: [text] }],
    answers: [{ log_likelihood: finite(-nll), tokens, correct, bytes }],
    scores: {
      token_accuracy: finite(token_accuracy),
      perplexity: finite(perplexity),
      ...(bits_per_byte !== undefined && { bits_per_byte: finite(bits_per_byte) }),
    },
  };
}

/** A row without labels has no metrics. */
function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

function metricsOf({ nll, tokens, correct, byteNll, bytes }: Sums) {
  return {
    perplexity: Math.exp(nll / tokens),
    ...(bytes > 0 && { bits_per_byte: byteNll / Math.LN2 / bytes }),
    token_accuracy: correct / tokens,
  };
}

/** Over rows, whose tokens are not independent. */
function errorsOf(rows: readonly Sums[]): Map<string, number> {
  const parts = (numerator: keyof Sums, denominator: keyof Sums, scale = 1) =>
    rows.map((own, row) => ({ row, numerator: own[numerator] / scale, denominator: own[denominator] }));
  const errors = {
    perplexity: ratioError(parts("nll", "tokens"), "exp"),
    bits_per_byte: ratioError(parts("byteNll", "bytes", Math.LN2), "identity"),
    token_accuracy: ratioError(parts("correct", "tokens"), "identity"),
  };
  return new Map(Object.entries(errors).filter((one): one is [string, number] => Number.isFinite(one[1])));
}

function resultOf(
  sum: Sums,
  rows: readonly Sums[],
  sampled: { used: number; total: number },
): EvaluationResult {
  const { metrics: declared } = LanguageModelEvaluator;
  const metrics: Record<string, number> = metricsOf(sum);
  const names = Object.keys(metrics) as (keyof typeof declared)[];
  const tokens = { denominator: sum.tokens };
  const bits = { numerator: sum.byteNll / Math.LN2, denominator: sum.bytes, transform: "identity" as const };
  return new EvaluationResult({
    evaluator: "language_model",
    primaryMetric: "perplexity",
    metrics,
    higherIsBetter: Object.fromEntries(names.map((name) => [name, declared[name].higherIsBetter])),
    standardErrors: errorsOf(rows),
    metadata: { tokens: sum.tokens, bytes: sum.bytes },
    sums: {
      perplexity: { numerator: sum.nll, ...tokens, transform: "exp" },
      ...(sum.bytes > 0 && { bits_per_byte: bits }),
      token_accuracy: { numerator: sum.correct, ...tokens, transform: "identity" },
    },
    sampled,
  });
}
