import { ElenchusError } from "../base/index.js";
import type { LanguageEngine, LanguageModel, PassOptions } from "../language/index.js";
import type { CausalModel } from "../models/index.js";
import type { Tokenizer } from "../tokenizers/index.js";
import type { EvaluationInput } from "./evaluationInput.js";
import { kindOf } from "./jsonCopy.js";

/** A language model and what makes tokens for it. */
export interface RequestedLanguageModel {
  readonly model: LanguageModel;
  readonly tokenizer: Tokenizer;
  /** Frees what was made to compute the model; the model itself stays. */
  release(): Promise<void>;
}

/**
 * The model of a request as a language model: it may be one itself, or one of the product's own that reads tokens.
 * It is computed by the engine that `trainer.language_engine` names.
 * @param limits how much is computed at a time
 * @throws CAPABILITY_MISSING for another kind of model, or without a tokenizer; as `languageModelOf`
 */
export async function requestedLanguageModel(
  request: Pick<EvaluationInput, "model" | "tokenizer" | "config"> & Partial<Pick<EvaluationInput, "logger">>,
  limits: PassOptions = {},
): Promise<RequestedLanguageModel> {
  const { model, config, logger } = request;
  const tokenizer = (request.tokenizer ?? (model as { tokenizer?: unknown } | null)?.tokenizer) as
    | Tokenizer
    | undefined;
  if (!isLanguageModel(model) && !isCausal(model)) {
    throw missing(`the model is ${kindOf(model)} that reads no tokens`, "a LanguageModel or a causal model");
  }
  if (typeof tokenizer?.encode !== "function") {
    throw missing("there is no tokenizer", "one from the trainer, the request or the model");
  }
  if (isLanguageModel(model)) return { model, tokenizer, release: async () => {} };
  const { language_engine: engine, language_threads: threads } =
    (config as Partial<LanguageConfig> | null)?.trainer ?? {};
  // Only here: whoever evaluates no language need not load what it takes.
  const { languageModelOf } = await import("../language/index.js");
  const computed = await languageModelOf(model, tokenizer, { engine, threads, logger, ...limits });
  return { model: computed, tokenizer, release: async () => computed.engine.release?.() };
}

interface LanguageConfig {
  readonly trainer: { readonly language_engine?: LanguageEngine; readonly language_threads?: number };
}

/** By its methods: a foreign loop's model, or another copy of the package, has no class of ours. */
function isLanguageModel(model: unknown): model is LanguageModel {
  const { logLikelihood, generate } = (model ?? {}) as Partial<LanguageModel>;
  return typeof logLikelihood === "function" && typeof generate === "function";
}

function isCausal(model: unknown): model is CausalModel {
  const { forwardTokens, createCache } = (model ?? {}) as Partial<CausalModel>;
  return typeof forwardTokens === "function" && typeof createCache === "function";
}

function missing(found: string, expected: string): ElenchusError {
  return new ElenchusError(
    "CAPABILITY_MISSING",
    `Language cannot be evaluated here: ${found}. Expected ${expected}, as the trainer types gpt, HuggingFace and nanochat give it.`,
  );
}
