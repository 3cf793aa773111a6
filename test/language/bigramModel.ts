import type * as tf from "@tensorflow/tfjs-core";
import { VariableCausalModel } from "../../src/models/kit.js";
import { CONTEXT_LENGTH, TABLE, tokenizer } from "./bigram.js";

/** The model of `bigram.ts` as a network that has nothing but a table. */
export class BigramModel extends VariableCausalModel {
  readonly vocabularySize = tokenizer.vocabularySize;
  readonly contextLength = CONTEXT_LENGTH;
  protected override readonly longestRow = CONTEXT_LENGTH;

  constructor() {
    const shape = [tokenizer.vocabularySize, tokenizer.vocabularySize];
    super("bigram", new Map([["table", { shape, values: TABLE.slice() }]]), {});
  }

  protected override compute(tokens: tf.Tensor2D): tf.Tensor2D {
    return this.embed(tokens, "table");
  }

  override logits(states: tf.Tensor2D): tf.Tensor2D {
    return states.clone();
  }
}
