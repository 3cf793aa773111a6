import type { CausalModel } from "../../models/index.js";
import type { Tokenizer } from "../../tokenizers/index.js";
import { type PassOptions, readerEngine } from "../passes/readerEngine.js";
import { requireTokenizer } from "../passes/requireTokenizer.js";
import { TokenLanguageModel } from "../tokenLanguageModel.js";
import { tfReader } from "./tfReader.js";

/** A causal model with its tokenizer, on the compute back end in use. The model stays the caller's. */
export class TfLanguageModel extends TokenLanguageModel {
  constructor(model: CausalModel, tokenizer: Tokenizer, options: PassOptions = {}) {
    requireTokenizer(model, tokenizer);
    super(model.name, tokenizer, readerEngine(tfReader(model), options));
  }
}
