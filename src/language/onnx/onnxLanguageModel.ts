import type { CausalModel } from "../../models/index.js";
import { causalNetwork, type OnnxNetwork } from "../../models/onnx/index.js";
import type { Tokenizer } from "../../tokenizers/index.js";
import { type PassOptions, readerEngine } from "../passes/readerEngine.js";
import { requireTokenizer } from "../passes/requireTokenizer.js";
import { TokenLanguageModel } from "../tokenLanguageModel.js";
import { OnnxReader } from "./onnxReader.js";
import type { OnnxRuntime } from "./onnxRuntime.js";

/** How much is computed and kept at a time, and by how many threads; results do not depend on it. */
export interface OnnxLanguageModelOptions extends PassOptions {
  /**
   * Threads of one operation. Default 1: a run has as many processes as the machine has cores, and threads of one
   * would take the cores of the others.
   */
  readonly threads?: number;
  /** How the model is written as a graph. Default: as its family is. */
  readonly network?: OnnxNetwork;
}

/**
 * A causal model with its tokenizer, computed by onnxruntime. The model stays the caller's: its weights are read
 * where they are, so that new ones need nothing done. Dispose of it.
 */
export class OnnxLanguageModel extends TokenLanguageModel {
  /**
   * @param runtime from `loadOnnxRuntime`
   * @throws CAPABILITY_MISSING for a model whose graph is not known
   */
  constructor(
    runtime: OnnxRuntime,
    model: CausalModel,
    tokenizer: Tokenizer,
    options: OnnxLanguageModelOptions = {},
  ) {
    requireTokenizer(model, tokenizer);
    const { threads = 1, network = causalNetwork(model) } = options;
    super(model.name, tokenizer, readerEngine(new OnnxReader(runtime, model, { network, threads }), options));
  }

  /** Frees what onnxruntime holds. */
  async dispose(): Promise<void> {
    await this.engine.release?.();
  }
}
