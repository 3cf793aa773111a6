import { ElenchusError } from "../../base/index.js";
import type { CausalModel } from "../../models/index.js";
import type { Tokenizer } from "../../tokenizers/index.js";

/** @throws DATA_INVALID for a tokenizer with more tokens than the model has */
export function requireTokenizer(model: CausalModel, tokenizer: Tokenizer): void {
  if (tokenizer.vocabularySize <= model.vocabularySize) return;
  throw new ElenchusError(
    "DATA_INVALID",
    `The tokenizer has ${tokenizer.vocabularySize} tokens, the model ${model.name} ${model.vocabularySize}. Use the tokenizer that belongs to the model.`,
  );
}
