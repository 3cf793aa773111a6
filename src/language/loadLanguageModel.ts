import { ElenchusError, silentLogger, systemClock } from "../base/index.js";
import type { BackendChoice } from "../compute/index.js";
import { type HubEnvironment, hubSettings, resolveModelFiles } from "../hub/index.js";
import type { CausalModel } from "../models/index.js";
import { loadTokenizer } from "../tokenizers/index.js";
import { type LanguageModelOptions, languageModelOf } from "./languageModelOf.js";
import { type TokenEngine, TokenLanguageModel } from "./tokenLanguageModel.js";

/** Where a model comes from, and what computes it. */
export interface LoadLanguageModelOptions extends LanguageModelOptions {
  /** Branch, tag or commit of a hub. Default `main`. */
  readonly revision?: string | undefined;
  /** Default `auto`: the first that works of node-gpu, node, wasm and cpu. There is one per process. */
  readonly backend?: BackendChoice | undefined;
  /** Default: as the variables `HF_ENDPOINT`, `HF_TOKEN`, `HF_HUB_OFFLINE`... say. */
  readonly hub?: HubEnvironment | undefined;
}

/** A language model that is computed in this process. Dispose of it; what is asked afterwards is USAGE. */
export class LocalLanguageModel extends TokenLanguageModel {
  readonly model: CausalModel;
  /** Where the tokenizer's files lie, where it is of files. */
  readonly tokenizerFolder: string | undefined;
  readonly #disposed: AbortController;

  /** @param language what answers; the model becomes its own */
  constructor(model: CausalModel, language: TokenLanguageModel, tokenizerFolder?: string) {
    const disposed = new AbortController();
    super(language.name, language.tokenizer, untilDisposed(language.engine, disposed.signal));
    this.model = model;
    this.tokenizerFolder = tokenizerFolder;
    this.#disposed = disposed;
  }

  /** Frees the weights, and whatever else computes with them. Once is enough. */
  async dispose(): Promise<void> {
    if (this.#disposed.signal.aborted) return;
    const gone = `The language model ${this.name} has been disposed of. Ask it before, or load it anew.`;
    this.#disposed.abort(new ElenchusError("USAGE", gone));
    this.model.dispose();
    await this.engine.release?.();
  }
}

/** Between two passes too: the tensors of the next one would be gone. */
function untilDisposed(engine: TokenEngine, disposed: AbortSignal): TokenEngine {
  const either = (signal: AbortSignal | undefined) => {
    disposed.throwIfAborted();
    return signal ? AbortSignal.any([signal, disposed]) : disposed;
  };
  return {
    ...engine,
    score: async (rows, signal, onRow) => engine.score(rows, either(signal), onRow),
    generate: async (rows, signal) => engine.generate(rows, either(signal)),
    forward: async (rows, signal) => engine.forward(rows, either(signal)),
  };
}

/**
 * A published model with its tokenizer: a folder as Hugging Face lays it out, or a repository of a hub, which is
 * fetched once. TensorFlow.js is loaded by this call, not before.
 * @throws INPUT_UNREADABLE, CONFIG_INVALID, CHECKPOINT_INVALID and the hub's errors; BACKEND_UNAVAILABLE
 */
export async function loadLanguageModel(
  name: string,
  options: LoadLanguageModelOptions = {},
): Promise<LocalLanguageModel> {
  const { revision, backend = "auto", logger = silentLogger } = options;
  const hub = options.hub ?? { settings: hubSettings(process.env), logger, clock: systemClock };
  const { folder } = await resolveModelFiles({ name, ...(revision !== undefined && { revision }) }, hub);
  const tokenizer = await loadTokenizer(folder);
  const { loadBackend } = await import("../compute/index.js");
  await loadBackend(backend, { logger });
  const { loadPretrained } = await import("../models/huggingFace/pretrained.js");
  const model = await loadPretrained(folder, name);
  try {
    return new LocalLanguageModel(model, await languageModelOf(model, tokenizer, options), folder);
  } catch (error) {
    model.dispose();
    throw error;
  }
}
