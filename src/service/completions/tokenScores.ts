import type { LanguageModel, TokenLogits } from "../../language/index.js";

/** A token and how likely it is. Natural logarithm. */
export interface ScoredToken {
  readonly id: number;
  readonly logprob: number;
}

/** How likely a token was where it stands, and which were the most likely there. */
export interface PlaceScore extends ScoredToken {
  /** From the most likely on; of equals the smaller id first. */
  readonly top: readonly ScoredToken[];
}

/** A row of tokens, scored. */
export interface ScoredRow {
  /** Of every token but the first, which nothing stands before. */
  readonly places: readonly PlaceScore[];
  /** The most likely token behind the last one; absent where the model could not read that. */
  readonly next: ScoredToken | undefined;
}

/** How rows are scored. */
export interface ScoreTokensOptions {
  /** So many of the most likely tokens are listed at each place. */
  readonly top: number;
  /** A row may have one token more: its last is then scored and not read. */
  readonly contextLength: number;
  readonly signal: AbortSignal;
}

/** Scores rows of tokens one after the other: the logits of one row can be hundreds of megabytes. */
export async function scoreTokens(
  model: LanguageModel,
  rows: readonly (readonly number[])[],
  { top, contextLength, signal }: ScoreTokensOptions,
): Promise<ScoredRow[]> {
  const scored: ScoredRow[] = [];
  for (const row of rows) {
    const [logits] = await model.forward([row.slice(0, contextLength)], { signal });
    scored.push(scoredRow(row, logits!, top));
  }
  return scored;
}

function scoredRow(row: readonly number[], logits: TokenLogits, top: number): ScoredRow {
  const places: PlaceScore[] = [];
  for (let place = 1; place < row.length; place++) {
    const values = logitsAt(logits, place - 1);
    const shift = logSum(values);
    const id = row[place]!;
    places.push({
      id,
      logprob: (values[id] ?? Number.NEGATIVE_INFINITY) - shift,
      top: largest(values, top).map((other) => ({ id: other, logprob: values[other]! - shift })),
    });
  }
  if (logits.length < row.length) return { places, next: undefined };
  const last = logitsAt(logits, row.length - 1);
  const [best] = largest(last, 1);
  return { places, next: { id: best!, logprob: last[best!]! - logSum(last) } };
}

function logitsAt({ data, vocabularySize }: TokenLogits, place: number): Float32Array {
  return data.subarray(place * vocabularySize, (place + 1) * vocabularySize);
}

/** log of the sum of exponentials, in double precision. */
function logSum(values: Float32Array): number {
  let largestValue = Number.NEGATIVE_INFINITY;
  for (const value of values) if (value > largestValue) largestValue = value;
  let sum = 0;
  for (const value of values) sum += Math.exp(value - largestValue);
  return largestValue + Math.log(sum);
}

/** The places of the largest values; few are asked for, so each is put where it belongs. */
function largest(values: Float32Array, count: number): number[] {
  const found: number[] = [];
  for (let index = 0; index < values.length; index++) {
    const value = values[index]!;
    if (found.length === count && (count === 0 || value <= values[found[count - 1]!]!)) continue;
    let place = found.length;
    while (place > 0 && values[found[place - 1]!]! < value) place -= 1;
    found.splice(place, 0, index);
    if (found.length > count) found.pop();
  }
  return found;
}
