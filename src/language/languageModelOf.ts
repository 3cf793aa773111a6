import { ElenchusError, type Logger, messageOf, silentLogger } from "../base/index.js";
import type { CausalModel } from "../models/index.js";
import type { Tokenizer } from "../tokenizers/index.js";
import type { PackageImporter } from "./onnx/index.js";
import type { PassOptions } from "./passes/readerEngine.js";
import type { TokenLanguageModel } from "./tokenLanguageModel.js";

/** What `trainer.language_engine` may say. */
export type LanguageEngine = "auto" | "onnx" | "tensorflow";

/** What computes a language model, and how much at a time. */
export interface LanguageModelOptions extends PassOptions {
  /**
   * `onnx`: onnxruntime, which is optional. `tensorflow`: TensorFlow.js on the back end in use. `auto` (default):
   * onnxruntime where it is installed and knows the model, unless TensorFlow.js has a native back end.
   */
  readonly engine?: LanguageEngine | undefined;
  /** Threads of onnxruntime. Default 1. */
  readonly threads?: number | undefined;
  /** Hears, once, why `auto` has not taken onnxruntime. Default: nobody. */
  readonly logger?: Logger | undefined;
  /** Loads onnxruntime. `import()` by default. */
  readonly importer?: PackageImporter | undefined;
}

/**
 * A language model of a causal model, such as the one an evaluator is given, and its tokenizer. It reads the model's
 * weights where they are, so it goes on being right when they change. The model stays the caller's.
 * @throws DATA_INVALID for a tokenizer with more tokens than the model has; with `onnx` BACKEND_UNAVAILABLE where
 *   the package is absent, and CAPABILITY_MISSING for a model whose graph is not known
 */
export async function languageModelOf(
  model: CausalModel,
  tokenizer: Tokenizer,
  options: LanguageModelOptions = {},
): Promise<TokenLanguageModel> {
  const { engine = "auto", logger = silentLogger } = options;
  if (engine === "onnx" || (engine === "auto" && !(await hasNativeBackend()))) {
    try {
      return await inOnnxRuntime(model, tokenizer, options);
    } catch (error) {
      if (engine === "onnx" || !isMissing(error)) throw error;
      tellOnce(logger, `Language models are computed by TensorFlow.js: ${messageOf(error)}`);
    }
  }
  const { TfLanguageModel } = await import("./tensorflow/index.js");
  return new TfLanguageModel(model, tokenizer, options);
}

async function inOnnxRuntime(
  model: CausalModel,
  tokenizer: Tokenizer,
  { importer, threads, ...limits }: LanguageModelOptions,
): Promise<TokenLanguageModel> {
  const { loadOnnxRuntime, OnnxLanguageModel } = await import("./onnx/index.js");
  const runtime = await loadOnnxRuntime(importer);
  return new OnnxLanguageModel(runtime, model, tokenizer, {
    ...limits,
    ...(threads !== undefined && { threads }),
  });
}

/** Whether TensorFlow.js computes in native code, perhaps on a GPU, where nothing would be gained. */
async function hasNativeBackend(): Promise<boolean> {
  const { tf } = await import("../compute/index.js");
  return tf.getBackend() === "tensorflow";
}

function isMissing(error: unknown): boolean {
  const code = error instanceof ElenchusError ? error.code : undefined;
  return code === "BACKEND_UNAVAILABLE" || code === "CAPABILITY_MISSING";
}

const told = new WeakSet<Logger>();

/** Evaluators ask in every round. */
function tellOnce(logger: Logger, message: string): void {
  if (told.has(logger)) return;
  told.add(logger);
  logger.info(message);
}
