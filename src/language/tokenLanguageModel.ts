import type { Tokenizer } from "../tokenizers/index.js";
import type { Generation, GenerationOptions, GenerationRequest } from "./generation.js";
import { GenerationRow } from "./generationRow.js";
import type { ForwardRequestOptions, LanguageModel, TokenLogits } from "./languageModel.js";
import { rollingRows } from "./rollingRows.js";
import type {
  LogLikelihood,
  LogLikelihoodOptions,
  LogLikelihoodRequest,
  RollingLogLikelihood,
  RollingOptions,
} from "./scoring.js";
import { type TokenRow, tokenRows } from "./tokenRows.js";

/** What computes: rows of tokens in any order, results in theirs. */
export interface TokenEngine {
  /** The most tokens it reads at once. */
  readonly contextLength: number;
  /** @param onRow hears of every row when it is scored */
  score(
    rows: readonly TokenRow[],
    signal?: AbortSignal,
    onRow?: (row: number) => void,
  ): Promise<TokenScores[]>;
  /** Gives every row logits until it is finished. */
  generate(rows: readonly GenerationRow[], signal?: AbortSignal): Promise<void>;
  forward(rows: readonly (readonly number[])[], signal?: AbortSignal): Promise<TokenLogits[]>;
  /** Frees what it holds beside the model; it is made anew when it is needed again. */
  release?(): Promise<void>;
}

/** How the tokens of a continuation were scored. */
export interface TokenScores {
  readonly logLikelihoods: readonly number[];
  readonly greedy: boolean;
}

/** A language model of a tokenizer and an engine: it turns texts into rows of tokens, and scores into results. */
export class TokenLanguageModel implements LanguageModel {
  readonly name: string;
  readonly tokenizer: Tokenizer;
  readonly engine: TokenEngine;

  constructor(name: string, tokenizer: Tokenizer, engine: TokenEngine) {
    this.name = name;
    this.tokenizer = tokenizer;
    this.engine = engine;
  }

  get contextLength(): number {
    return this.engine.contextLength;
  }

  async logLikelihood(
    requests: readonly LogLikelihoodRequest[],
    options: LogLikelihoodOptions = {},
  ): Promise<LogLikelihood[]> {
    const rows = tokenRows(this.tokenizer, requests, options, this.engine.contextLength);
    const { signal, onAnswered } = options;
    const scores = await this.engine.score(rows, signal, onAnswered && (() => onAnswered(1)));
    return rows.map(({ truncated }, index) => logLikelihoodOf(scores[index]!, truncated));
  }

  async rollingLogLikelihood(
    texts: readonly string[],
    options: RollingOptions = {},
  ): Promise<RollingLogLikelihood[]> {
    const windows = texts.map((text) =>
      rollingRows(this.tokenizer, text, options, this.engine.contextLength),
    );
    const { signal, onAnswered } = options;
    const onWindow = onAnswered && watchTexts(windows, onAnswered);
    return rollingResults(windows, await this.engine.score(windows.flat(), signal, onWindow));
  }

  async generate(
    requests: readonly GenerationRequest[],
    options: GenerationOptions = {},
  ): Promise<Generation[]> {
    const rows = requests.map(
      (request, index) =>
        new GenerationRow(this.tokenizer, { request, options, index }, this.engine.contextLength),
    );
    await this.engine.generate(rows, options.signal);
    return rows.map((row) => row.result());
  }

  async forward(
    rows: readonly (readonly number[])[],
    options: ForwardRequestOptions = {},
  ): Promise<TokenLogits[]> {
    return await this.engine.forward(rows, options.signal);
  }
}

/** The result of one scored row. */
export function logLikelihoodOf({ logLikelihoods, greedy }: TokenScores, truncated: number): LogLikelihood {
  return {
    logLikelihood: sum(logLikelihoods),
    tokenLogLikelihoods: logLikelihoods,
    greedy,
    tokenCount: logLikelihoods.length,
    truncated,
  };
}

/**
 * The results of texts.
 * @param windows of each text
 * @param scores of the windows of all texts, in their order
 */
export function rollingResults(
  windows: readonly (readonly unknown[])[],
  scores: readonly TokenScores[],
): RollingLogLikelihood[] {
  let next = 0;
  return windows.map(({ length }) => {
    const start = next;
    next += length;
    return rollingOf(scores.slice(start, next));
  });
}

/**
 * Says of texts that they are scored when all their windows are.
 * @param windows of each text
 * @returns what is to hear of a window, by its place among those of all texts
 */
export function watchTexts(
  windows: readonly (readonly unknown[])[],
  onAnswered: (count: number) => void,
): (window: number) => void {
  const left = windows.map(({ length }) => length);
  const textOf = windows.flatMap(({ length }, text) => new Array<number>(length).fill(text));
  const empty = left.filter((length) => length === 0).length;
  if (empty > 0) onAnswered(empty);
  return (window) => {
    const text = textOf[window]!;
    left[text]! -= 1;
    if (left[text] === 0) onAnswered(1);
  };
}

/** The result of a text's windows. */
function rollingOf(windows: readonly TokenScores[]): RollingLogLikelihood {
  const tokenLogLikelihoods = windows.flatMap(({ logLikelihoods }) => logLikelihoods);
  return {
    logLikelihood: sum(tokenLogLikelihoods),
    tokenLogLikelihoods,
    tokenCount: tokenLogLikelihoods.length,
    windows: windows.length,
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
