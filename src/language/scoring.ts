/** Text, or its tokens where tokenisation is not to be touched. Context and continuation are of one kind. */
export type LogLikelihoodRequest =
  | { readonly context: string; readonly continuation: string }
  | { readonly context: readonly number[]; readonly continuation: readonly number[] };

/** How a continuation was scored. */
export interface LogLikelihood {
  /** Sum of the tokens' log probabilities. */
  readonly logLikelihood: number;
  /** Per token of the continuation. */
  readonly tokenLogLikelihoods: readonly number[];
  /** Whether each token was the most likely one; of equals the one with the smallest id counts as that. */
  readonly greedy: boolean;
  /** Tokens of the continuation that were scored. */
  readonly tokenCount: number;
  /** Tokens of the context that were left out for want of room. */
  readonly truncated: number;
}

/** How a text was scored. */
export interface RollingLogLikelihood {
  readonly logLikelihood: number;
  readonly tokenLogLikelihoods: readonly number[];
  readonly tokenCount: number;
  /** Windows that it took. */
  readonly windows: number;
}

/** How texts become rows of tokens. */
export interface TextOptions {
  /**
   * The begin token in front of a text. `tokenizer` (default): where the tokenizer puts one there by itself.
   * Never is there a second one: not for a text that begins with its name, nor behind a chat template.
   */
  readonly bos?: "tokenizer" | "always" | "never" | undefined;
  /** What the name of a special token inside a text means, as for `Tokenizer.encode`. Default `parse`. */
  readonly specialTokens?: "parse" | "text" | undefined;
  /** The most tokens that the model is given at once. Default: its context length. */
  readonly maxLength?: number | undefined;
  /** Stops between passes; its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Hears of the requests of a call as they are answered: so many more are. Together they are all.
   * @param known whether their answers were there already, and took no time
   */
  readonly onAnswered?: ((count: number, known?: boolean) => void) | undefined;
}

/** How continuations are scored. The defaults are those of EleutherAI's evaluation harness. */
export interface LogLikelihoodOptions extends TextOptions {
  /**
   * `joint` (default): the joined text is tokenised, and the continuation is what lies behind as many tokens as
   * the context has by itself. `separate`: each is tokenised by itself, as lighteval does.
   */
  readonly boundary?: "joint" | "separate" | undefined;
  /** Whether white space at the context's end goes to the front of the continuation. Default true. */
  readonly moveSpace?: boolean | undefined;
  /**
   * Where a context is cut that is too long: at its beginning (`left`, default) or at its end (`right`);
   * `refuse`: DATA_INVALID. A continuation is never cut: one that does not fit is DATA_INVALID.
   */
  readonly truncation?: "left" | "right" | "refuse" | undefined;
}

/** How texts are cut into windows of at most `maxLength` tokens. */
export interface RollingOptions extends TextOptions {
  /**
   * Tokens before the first scored one that a window after the first begins with, 1 to `maxLength`. Default 1:
   * disjoint windows. More context costs more windows.
   */
  readonly context?: number | undefined;
  /** The same said otherwise: tokens scored per window after the first, `maxLength + 1 - context`. Not with it. */
  readonly stride?: number | undefined;
}
