import type { Prompt } from "../language/index.js";

/** What a task asks a model about one document. */
export type TaskRequest = ChoiceRequest | SpanRequest | RollingRequest | GenerateRequest;

/** How likely each continuation is after each prompt: all pairs, prompt by prompt. */
export interface ChoiceRequest {
  readonly kind: "loglikelihood";
  readonly prompts: readonly Exclude<Prompt, readonly number[]>[];
  readonly continuations: readonly string[];
}

/**
 * How likely a part of each text is. Which part follows from the tokens:
 * `multiple_choice`: what follows the tokens that all texts begin with; `schema`: the tokens that all end with;
 * `language_modeling`: of two texts the second, behind the tokens of the first.
 */
export interface SpanRequest {
  readonly kind: "span";
  readonly form: SpanForm;
  readonly prompts: readonly string[];
}

/** Which part of texts is scored. */
export type SpanForm = "multiple_choice" | "schema" | "language_modeling";

/** How likely whole texts are. */
export interface RollingRequest {
  readonly kind: "rolling";
  readonly prompts: readonly string[];
}

/** What a model goes on with. */
export interface GenerateRequest {
  readonly kind: "generate";
  readonly prompts: readonly Exclude<Prompt, readonly number[]>[];
  readonly stop: readonly string[];
  readonly maxNewTokens: number;
}
