import { ElenchusError } from "../base/index.js";
import type { LanguageModel } from "../language/index.js";
import type { Tokenizer } from "../tokenizers/index.js";

/** What evaluations ask: a language model, what makes tokens for it, and how many it is given at once. */
export interface Inference {
  readonly model: LanguageModel;
  readonly tokenizer: Tokenizer;
  /** The most tokens of a text that are read at once. */
  readonly blockSize: number;
}

/** What is not to be taken from the model itself. */
export interface InferenceOptions {
  /** Default: the model's own. */
  readonly tokenizer?: Tokenizer | undefined;
  /** 1 to what the model can read. Default: that. */
  readonly blockSize?: number | undefined;
}

/**
 * Puts a model and its tokenizer together.
 * @throws CAPABILITY_MISSING where there is no tokenizer or nobody knows how much the model reads; CONFIG_VALUE for a
 *   block size beyond it
 */
export function inferenceOf(model: LanguageModel, options: InferenceOptions = {}): Inference {
  const tokenizer = options.tokenizer ?? model.tokenizer;
  if (tokenizer === undefined) throw missing(model, "its tokenizer is not known", "Give one with the model");
  const most = model.contextLength;
  const blockSize = options.blockSize ?? most;
  if (blockSize === undefined)
    throw missing(model, "how many tokens it reads is not known", "Set block_size");
  if (Number.isInteger(blockSize) && blockSize >= 1 && blockSize <= (most ?? blockSize)) {
    return { model, tokenizer, blockSize };
  }
  const range = most === undefined ? "1 or more" : `1 to ${most}, the context length of ${model.name}`;
  throw new ElenchusError("CONFIG_VALUE", `block_size = ${blockSize}: expected ${range}.`);
}

function missing({ name }: LanguageModel, found: string, mend: string): ElenchusError {
  return new ElenchusError("CAPABILITY_MISSING", `The model ${name} cannot be evaluated: ${found}. ${mend}.`);
}
