import { ElenchusError, silentLogger } from "../base/index.js";
import type { LanguageEngine, LanguageModel, PassOptions } from "../language/index.js";
import type { CausalModel } from "../models/index.js";
import type { Tokenizer } from "../tokenizers/index.js";
import { weightsDigest } from "../weights/index.js";
import type { EvaluationInput } from "./evaluationInput.js";
import { kindOf } from "./jsonCopy.js";

/** A language model and what makes tokens for it. */
export interface RequestedLanguageModel {
  readonly model: LanguageModel;
  readonly tokenizer: Tokenizer;
  /** Frees what was made to compute the model; the model itself stays. */
  release(): Promise<void>;
}

/** How a request's model is used. */
export interface RequestedModelOptions extends PassOptions {
  /**
   * Whether nobody has changed the model since the evaluator was given it. Its weights are then copied and hashed
   * once for all evaluators of a round, where answers are kept. Default false.
   */
  readonly unchanged?: boolean;
}

/**
 * The model of a request as a language model: it may be one itself, or one of the product's own that reads tokens.
 * It is computed by the engine that `trainer.language_engine` names.
 * Answers are kept in `request.answersFolder`, where there is one.
 * @param options how much is computed at a time, and whether the model is as it was handed over
 * @throws CAPABILITY_MISSING for another kind of model, or without a tokenizer; as `languageModelOf`
 */
export async function requestedLanguageModel(
  request: Requested,
  { unchanged = false, ...limits }: RequestedModelOptions = {},
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
  return {
    model: await withKeptAnswers(computed, model, tokenizer, { ...request, unchanged }),
    tokenizer,
    release: async () => computed.engine.release?.(),
  };
}

/** What was answered with these weights before is not computed again. */
async function withKeptAnswers(
  asked: LanguageModel,
  model: CausalModel,
  tokenizer: Tokenizer,
  request: Requested & { readonly unchanged: boolean },
): Promise<LanguageModel> {
  const { answersFolder: folder, logger = silentLogger, config } = request;
  if (folder === undefined) return asked;
  const { trainer, parameters } = (config ?? {}) as Partial<Record<"trainer" | "parameters", object>>;
  const scope = {
    weights: (request.unchanged && request.weightsDigest?.()) || weightsDigest(model.weights()),
    engine: asked.constructor.name,
    // Of an adapter the weights are not the whole model.
    model: pick(trainer, ["model_name", "model_type", "model_revision", "backend"]),
    parameters: pick(parameters, ["model", "lora"]),
    tokenizer: [tokenizer.vocabularySize, tokenizer.special, tokenizer.chatTemplate, tokenizer.encode(PROBE)],
  };
  const { AnswerFile, KeptAnswers } = await import("../language/index.js");
  const file = await AnswerFile.open({ folder, scope, logger });
  return file === null ? asked : new KeptAnswers(asked, file);
}

/** Tokenizers of one size that differ cut at least one of these otherwise. */
const PROBE =
  "The quick brown fox's 1,234.5 jumps: don't STOP!\n\n  def f(x):\treturn x**2  # naïve café, Übergröße, 東京, привет 🙂";

function pick(from: object | undefined, keys: readonly string[]): unknown[] {
  return keys.map((key) => (from as Record<string, unknown> | undefined)?.[key] ?? null);
}

type Requested = Pick<EvaluationInput, "model" | "tokenizer" | "config"> &
  Partial<Pick<EvaluationInput, "logger" | "answersFolder" | "weightsDigest">>;

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
