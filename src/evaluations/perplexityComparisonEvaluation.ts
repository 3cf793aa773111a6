import { ElenchusError } from "../base/index.js";
import { tokenRows } from "../language/index.js";
import { Evaluation, type MeasureRequest } from "./evaluation.js";
import { failedRow, type RowMeasure, valued } from "./rowMeasure.js";
import type { RowSample } from "./rowSample.js";
import { theseusTargets } from "./theseus.js";

/** What is compared: a text, what may follow it, and which of that is right (from 0). */
export type Comparison = readonly [prefix: string, continuations: readonly string[], correct: number];

/**
 * Which continuation of a text the model finds likeliest: the one with the smallest mean negative log-likelihood
 * of its tokens, the first of equals. One that does not fit into `block_size` with the text in front is a failed
 * row: what was cut would cost nothing and win.
 */
export abstract class PerplexityComparisonEvaluation<
  Options = Record<string, unknown>,
> extends Evaluation<Options> {
  readonly higherIsBetter: boolean = true;
  readonly transform = "identity";
  readonly unit: string = "fraction";

  abstract override get(index: number): Comparison | Promise<Comparison>;

  override async measure(rows: readonly number[], request: MeasureRequest): Promise<RowMeasure[]> {
    const planned = await Promise.all(
      rows.map(async (row) => {
        try {
          const compared = await this.get(row);
          return { row, compared, ...plan(compared, request) };
        } catch (cause) {
          return failedRow(row, cause);
        }
      }),
    );
    const candidates = planned.flatMap((one) => ("candidates" in one ? one.candidates : []));
    const asked = candidates.filter((one) => one !== undefined);
    const scores = await request.inference.model.logLikelihood(asked, {
      specialTokens: "text",
      maxLength: request.inference.blockSize,
      signal: request.signal,
    });
    let next = 0;
    return planned.map((one) => {
      if (!("candidates" in one)) return one;
      const losses = one.candidates.map((candidate) => {
        // Theseus gives a continuation of which nothing is left a loss of nothing.
        if (candidate === undefined) return 0;
        const { logLikelihood, tokenCount } = scores[next++]!;
        return -logLikelihood / tokenCount;
      });
      const best = smallest(losses);
      const sample = request.samples ? { sample: sampleOf(one.compared, losses) } : {};
      if (best !== undefined) return { ...valued(one.row, best === one.correct ? 1 : 0), ...sample };
      const error = new ElenchusError("DATA_INVALID", "The model gives no continuation a likelihood.");
      return { ...failedRow(one.row, error), ...sample };
    });
  }
}

function sampleOf([prefix, continuations, correct]: Comparison, losses: readonly number[]): RowSample {
  return {
    requests: [{ kind: "loglikelihood", prompts: [prefix], continuations }],
    answers: losses.map((loss) => ({ mean_log_likelihood: Number.isFinite(loss) ? -loss : null })),
    gold: correct,
  };
}

type Candidate =
  | { readonly context: string; readonly continuation: string }
  | { readonly context: readonly number[]; readonly continuation: readonly number[] };

interface Planned {
  readonly correct: number;
  readonly candidates: readonly (Candidate | undefined)[];
}

function plan([prefix, continuations, correct]: Comparison, request: MeasureRequest): Planned {
  if (continuations[correct] === undefined || !Number.isInteger(correct)) {
    throw new ElenchusError(
      "DATA_INVALID",
      `The right continuation is ${correct}, and there are ${continuations.length}: expected a place from 0.`,
    );
  }
  return { correct, candidates: continuations.map((one) => candidate(prefix, one, request)) };
}

function candidate(
  prefix: string,
  continuation: string,
  { inference: { tokenizer, blockSize }, settings }: MeasureRequest,
): Candidate | undefined {
  if (settings.compat === "theseus") {
    const ids = tokenizer.encode(prefix + continuation).slice(0, blockSize);
    return theseusTargets(ids, tokenizer.encode(prefix).length);
  }
  const asked = { context: prefix, continuation };
  const [row] = tokenRows(tokenizer, [asked], { specialTokens: "text" }, Number.POSITIVE_INFINITY);
  // Before a text without a prefix stands a token that is none of its own.
  const length = row!.context.length + row!.continuation.length - (prefix === "" ? 1 : 0);
  if (length <= blockSize) return asked;
  throw new ElenchusError(
    "DATA_INVALID",
    `A continuation would be cut: with the text in front it has ${length} tokens, and block_size is ${blockSize}. Shorten the text, or raise block_size.`,
  );
}

/** Place of the smallest number, the first of equals; what is no number cannot win. */
function smallest(losses: readonly number[]): number | undefined {
  let best: number | undefined;
  losses.forEach((loss, place) => {
    if (!Number.isNaN(loss) && (best === undefined || loss < losses[best]!)) best = place;
  });
  return best;
}
