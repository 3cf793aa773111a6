import * as tf from "@tensorflow/tfjs-core";
import { NO_LABEL } from "../../data/index.js";
import { type ForwardOptions, isCausalModel, type Model } from "../../models/index.js";

/** What a model says and what would be right. */
export interface LabelledOutputs {
  /** How many labels there are: one for each row, or for each token that has one. */
  readonly count: number;
  /** As given; for a language model [count], those that there are. */
  readonly labels: tf.Tensor;
  /** Runs the model. Of a language model [count, vocabulary], a row for each label. */
  outputs(options: ForwardOptions): tf.Tensor;
}

/**
 * Pairs a model's outputs with labels. Of tokens only those count that have a label: the last and largest step of a
 * language model, from states to the vocabulary, is taken for them alone.
 * @param inputs [rows, ...inputShape]; of tokens [rows, length]
 * @param labels [rows]; of tokens int32 [rows, length], `NO_LABEL` where nothing is asked for
 */
export function labelledOutputs(model: Model, inputs: tf.Tensor, labels: tf.Tensor): LabelledOutputs {
  if (labels.rank < 2 || labels.dtype !== "int32") {
    return { count: labels.shape[0] ?? 1, labels, outputs: (options) => model.forward(inputs, options) };
  }
  const places = placesWithLabel(labels.dataSync<"int32">());
  const count = places.length;
  if (!isCausalModel(model)) return { count, labels, outputs: (options) => model.forward(inputs, options) };

  const flat = tf.reshape(labels, [-1]);
  const all = count === flat.size;
  const at = tf.tensor1d(places, "int32");
  return {
    count,
    labels: all ? flat : tf.gather(flat, at),
    outputs(options) {
      const states = model.hiddenStates(tf.cast(inputs, "int32") as tf.Tensor2D, options);
      return model.logits(all ? states : tf.gather(states, at));
    },
  };
}

function placesWithLabel(labels: Int32Array): Int32Array {
  const places = new Int32Array(labels.length);
  let count = 0;
  for (const [place, label] of labels.entries()) if (label !== NO_LABEL) places[count++] = place;
  return places.subarray(0, count);
}
