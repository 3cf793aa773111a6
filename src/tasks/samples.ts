import type { TableRow } from "../data/index.js";
import type { ChatTurn } from "../tokenizers/index.js";

/*
 * The typed rows of an evaluation, stage by stage; all of them plain JSON, so that they can be stored. The names of
 * their fields are those of Llama Stack's first design of evaluations.
 */

/** What a model is asked about one row: turns of a chat, or a text to go on from. */
export interface PreprocessedSample {
  readonly generation_input: { readonly messages: readonly ChatTurn[] } | { readonly prompt: string };
}

/** Log probabilities of one token of an answer. */
export interface TokenLogProbs {
  readonly token: string;
  readonly logprob: number;
}

/** What the model answered. */
export interface GenerationResponseSample {
  readonly generation_output: PostprocessedGeneration & {
    /** `length`: there was no more room or allowance. */
    readonly finish: "stop" | "length";
  };
}

/** An answer as the model gave it. */
export interface PostprocessedGeneration {
  readonly completion_message: string;
  readonly logprobs?: readonly TokenLogProbs[];
}

/** What scorers see of a row: the answer, what is expected, and whatever columns of the row a scorer may need. */
export interface ScorerInputSample extends TableRow {
  readonly generated_answer: string;
  readonly expected_answer?: unknown;
  readonly input_query?: string;
  /** The answer before anything was read out of it. */
  readonly generation_output?: PostprocessedGeneration;
}
