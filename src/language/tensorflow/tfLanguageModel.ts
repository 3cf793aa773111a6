import { setImmediate as nextTurn } from "node:timers/promises";
import * as tf from "@tensorflow/tfjs-core";
import { ElenchusError } from "../../base/index.js";
import type { CausalModel } from "../../models/index.js";
import type { Tokenizer } from "../../tokenizers/index.js";
import type { TokenLogits } from "../languageModel.js";
import type { PassOptions } from "../passOptions.js";
import { type TokenEngine, TokenLanguageModel } from "../tokenLanguageModel.js";
import { generateRows } from "./generateRows.js";
import { pack } from "./packing.js";
import type { PassLimits } from "./passLimits.js";
import { scoreRows } from "./scoreRows.js";

/** A causal model with its tokenizer, on the compute back end in use. The model stays the caller's. */
export class TfLanguageModel extends TokenLanguageModel {
  constructor(model: CausalModel, tokenizer: Tokenizer, options: PassOptions = {}) {
    if (tokenizer.vocabularySize > model.vocabularySize) {
      throw new ElenchusError(
        "DATA_INVALID",
        `The tokenizer has ${tokenizer.vocabularySize} tokens, the model ${model.name} ${model.vocabularySize}. Use the tokenizer that belongs to the model.`,
      );
    }
    super(model.name, tokenizer, tensorflowEngine(model, options));
  }
}

function tensorflowEngine(model: CausalModel, options: PassOptions): TokenEngine {
  const limits: PassLimits = {
    tokens: options.passTokens ?? 512,
    kept: options.keptTokens ?? 8192,
    cache: options.cache ?? true,
  };
  return {
    contextLength: model.contextLength,
    score: (rows, signal) => scoreRows(model, rows, limits, signal),
    generate: (rows, signal) => generateRows(model, rows, limits, signal),
    forward: (rows, signal) => forwardRows(model, rows, limits, signal),
  };
}

async function forwardRows(
  model: CausalModel,
  rows: readonly (readonly number[])[],
  limits: PassLimits,
  signal: AbortSignal | undefined,
): Promise<TokenLogits[]> {
  const size = model.vocabularySize;
  const results = rows.map(({ length }) => ({
    data: new Float32Array(length * size),
    length,
    vocabularySize: size,
  }));
  const batches = pack(
    [...rows.keys()].filter((row) => rows[row]!.length > 0),
    (row) => rows[row]!.length,
    (count, longest) => count * longest <= limits.tokens,
  );
  for (const batch of batches) {
    await nextTurn();
    signal?.throwIfAborted();
    const length = rows[batch[0]!]!.length;
    const ids = new Int32Array(batch.length * length);
    batch.forEach((row, place) => void ids.set(rows[row]!, place * length));
    const tokens = tf.tensor2d(ids, [batch.length, length], "int32");
    const logits = forwardTokens(
      model,
      tokens,
      batch.map((row) => rows[row]!.length),
    );
    batch.forEach((row, place) => {
      const start = place * length * size;
      results[row]!.data.set(logits.subarray(start, start + results[row]!.data.length));
    });
  }
  return results;
}

/** Not through `tf.tidy`, which would look for tensors in every number that it gives back. */
function forwardTokens(model: CausalModel, tokens: tf.Tensor2D, lengths: readonly number[]): Float32Array {
  try {
    const logits = model.forwardTokens(tokens, { training: false, lengths });
    const values = logits.dataSync<"float32">();
    logits.dispose();
    return values;
  } finally {
    tokens.dispose();
  }
}
