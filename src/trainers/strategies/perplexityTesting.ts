import { setImmediate as nextTurn } from "node:timers/promises";
import * as tf from "@tensorflow/tfjs-core";
import type { TestingStrategy } from "../../algorithms/index.js";
import { ElenchusError } from "../../base/index.js";
import { tokenCrossEntropy } from "../../compute/fused/index.js";
import { type Dataset, NO_LABEL } from "../../data/index.js";
import { type CausalModel, isCausalModel, MOST_LOGITS, type Model } from "../../models/index.js";
import { testedRows } from "./testBatches.js";

/**
 * exp(L / T): L the cross entropy of all tokens of the test set that have a label, T how many there are; lower is
 * better. A model that knows nothing is at the size of its vocabulary.
 */
export class PerplexityTesting implements TestingStrategy {
  readonly metricName = "perplexity";
  readonly higherIsBetter = false;

  /** @throws DATA_INVALID without a token that has a label; CONFIG_INVALID for a model that reads no tokens */
  async testModel(
    model: Model,
    config: Readonly<Record<string, unknown>>,
    testset: Dataset,
    indices: Int32Array | undefined,
  ): Promise<number> {
    if (!isCausalModel(model)) {
      throw new ElenchusError(
        "CONFIG_INVALID",
        `Perplexity needs a language model, but ${model.name} reads no tokens. Set trainer.model_name to one, such as "gpt".`,
      );
    }
    let loss = 0;
    let tokens = 0;
    for (const rows of testedRows(config, testset, indices)) {
      if (tokens > 0) await nextTurn();
      const { inputs, inputShape, labels, length } = testset.batch(rows);
      const read = lossOf(model, inputs, labels, [length, inputShape[0]!]);
      loss += read.loss;
      tokens += read.tokens;
    }
    if (tokens === 0) {
      throw new ElenchusError(
        "DATA_INVALID",
        "Perplexity needs test rows with tokens that have a label, but there are none. Give more text to test on.",
      );
    }
    return Math.exp(loss / tokens);
  }
}

/** Summed in double precision: a test set has more tokens than single precision can count losses of. */
function lossOf(
  model: CausalModel,
  inputs: Float32Array,
  labels: ArrayLike<number>,
  shape: [number, number],
): { loss: number; tokens: number } {
  const places = Array.from(labels).flatMap((label, place) => (label === NO_LABEL ? [] : [place]));
  if (places.length === 0) return { loss: 0, tokens: 0 };
  const each = Math.max(1, Math.floor(MOST_LOGITS / model.vocabularySize));
  let loss = 0;
  tf.tidy(() => {
    const states = model.hiddenStates(tf.tensor2d(Int32Array.from(inputs), shape, "int32"), {
      training: false,
    });
    for (let start = 0; start < places.length; start += each) {
      const some = places.slice(start, start + each);
      tf.tidy(() => {
        const logits = model.logits(tf.gather(states, tf.tensor1d(some, "int32")));
        const right = tf.tensor1d(
          some.map((place) => labels[place]!),
          "int32",
        );
        for (const one of tokenCrossEntropy(logits, right).dataSync<"float32">()) loss += one;
      });
    }
  });
  return { loss, tokens: places.length };
}
