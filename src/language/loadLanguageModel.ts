import { silentLogger, systemClock } from "../base/index.js";
import type { BackendChoice } from "../compute/index.js";
import { type HubEnvironment, hubSettings, resolveModelFiles } from "../hub/index.js";
import type { CausalModel } from "../models/index.js";
import { loadTokenizer } from "../tokenizers/index.js";
import { type LanguageModelOptions, languageModelOf } from "./languageModelOf.js";
import { TokenLanguageModel } from "./tokenLanguageModel.js";

/** Where a model comes from, and what computes it. */
export interface LoadLanguageModelOptions extends LanguageModelOptions {
  /** Branch, tag or commit of a hub. Default `main`. */
  readonly revision?: string | undefined;
  /** Default `auto`: the first that works of node-gpu, node, wasm and cpu. There is one per process. */
  readonly backend?: BackendChoice | undefined;
  /** Default: as the variables `HF_ENDPOINT`, `HF_TOKEN`, `HF_HUB_OFFLINE`... say. */
  readonly hub?: HubEnvironment | undefined;
}

/** A language model that is computed in this process. Dispose of it. */
export class LocalLanguageModel extends TokenLanguageModel {
  readonly model: CausalModel;

  /** @param language what answers; the model becomes its own */
  constructor(model: CausalModel, language: TokenLanguageModel) {
    super(language.name, language.tokenizer, language.engine);
    this.model = model;
  }

  /** Frees the weights, and whatever else computes with them. */
  async dispose(): Promise<void> {
    this.model.dispose();
    await this.engine.release?.();
  }
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
    return new LocalLanguageModel(model, await languageModelOf(model, tokenizer, options));
  } catch (error) {
    model.dispose();
    throw error;
  }
}
