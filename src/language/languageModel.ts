import type { Tokenizer } from "../tokenizers/index.js";
import type { Generation, GenerationOptions, GenerationRequest } from "./generation.js";
import type {
  LogLikelihood,
  LogLikelihoodOptions,
  LogLikelihoodRequest,
  RollingLogLikelihood,
  RollingOptions,
} from "./scoring.js";

/**
 * A language model as benchmarks see it. Requests come in batches; results come in the order of the requests and
 * do not depend on what else was in the batch. A kind of request that a model cannot answer is
 * CAPABILITY_MISSING; one that makes no sense, DATA_INVALID, or CONFIG_VALUE for an option.
 */
export interface LanguageModel {
  readonly name: string;
  /** What makes tokens for it, where that is known here. */
  readonly tokenizer?: Tokenizer | undefined;
  /** The most tokens that it reads at once, where that is known here. */
  readonly contextLength?: number | undefined;
  /** How likely each continuation is after its context. Natural logarithms. */
  logLikelihood(
    requests: readonly LogLikelihoodRequest[],
    options?: LogLikelihoodOptions,
  ): Promise<LogLikelihood[]>;
  /** How likely whole texts are, of any length: window after window, each token scored once. */
  rollingLogLikelihood(texts: readonly string[], options?: RollingOptions): Promise<RollingLogLikelihood[]>;
  /** Goes on from prompts until they end. */
  generate(requests: readonly GenerationRequest[], options?: GenerationOptions): Promise<Generation[]>;
  /** Logits after each token of rows of tokens. */
  forward(rows: readonly (readonly number[])[], options?: ForwardRequestOptions): Promise<TokenLogits[]>;
}

/** How rows are read by `forward`. */
export interface ForwardRequestOptions {
  /** Stops between passes; its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
}

/** Logits of one row, [length, vocabularySize] row by row. */
export interface TokenLogits {
  readonly data: Float32Array;
  readonly length: number;
  readonly vocabularySize: number;
}
