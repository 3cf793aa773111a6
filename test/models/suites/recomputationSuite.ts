import * as tf from "@tensorflow/tfjs-core";
import { describe, expect, test } from "vitest";
import { createRandom, type Random } from "../../../src/base/index.js";
import { type CausalModel, createModel } from "../../../src/models/index.js";
import { distance } from "../golden.js";

export const TOKENS = [
  [3, 1, 4, 1, 5, 9, 2, 6],
  [2, 7, 1, 8, 2, 8, 1, 8],
];
const LABELS = TOKENS.flatMap((row) => [...row.slice(1), 0]);

export const gpt = { n_layer: 3, n_head: 2, n_embd: 8, block_size: 12 };
const llama = {
  max_position_embeddings: 16,
  hidden_size: 24,
  intermediate_size: 20,
  num_hidden_layers: 3,
  num_attention_heads: 6,
  num_key_value_heads: 2,
};
const lora = { r: 2, lora_dropout: 0.2 };
const families: [name: string, parameters: Record<string, unknown>, lora?: Record<string, unknown>][] = [
  ["gpt", gpt],
  ["gpt", { ...gpt, dropout: 0.3 }],
  ["llama", llama],
  ["llama", { ...llama, attention_dropout: 0.3 }],
  ["gpt", gpt, lora],
  ["llama", llama, lora],
  ["mistral", { ...llama, sliding_window: 3 }],
  ["qwen3", { ...llama, head_dim: 6, tie_word_embeddings: true }],
  ["nanochat", { sequence_len: 4, n_layer: 3, n_head: 4, n_kv_head: 2, n_embd: 24, window_pattern: "L" }],
];

/** What must hold where blocks are computed again, on whatever back end is chosen. */
export function recomputationSuite(): void {
  describe.each(families)("blocks of %s that are computed again (%o, %o)", (name, parameters, adapters) => {
    test("leave loss, gradients and dropout as they were, and no tensor behind", async () => {
      const model = await build(name, parameters, adapters);
      const kept = trained(model, { recompute: false, random: createRandom(7) });
      const tensors = tf.memory().numTensors;
      const again = trained(model, { recompute: true, random: createRandom(7) });
      expect(tf.memory().numTensors).toBe(tensors);
      expect(again.loss).toBe(kept.loss);
      expect([...again.gradients.keys()]).toEqual([...kept.gradients.keys()]);
      for (const [weight, gradient] of kept.gradients) {
        expect(gradient.some((value) => value !== 0)).toBe(true);
        // Only the order in which shares of several layers are added may differ.
        expect(distance(again.gradients.get(weight)!, gradient), weight).toBeLessThan(1e-6);
      }
      model.dispose();
    });

    test("draw on in the next step as if nothing had been drawn twice", async () => {
      const model = await build(name, parameters, adapters);
      const [one, other] = [createRandom(7), createRandom(7)];
      trained(model, { recompute: false, random: one });
      trained(model, { recompute: true, random: other });
      expect(other.state()).toEqual(one.state());
      model.dispose();
    });
  });
}

/** A model without weights that hide others. */
export async function build(
  name: string,
  parameters: Record<string, unknown>,
  adapters?: Record<string, unknown>,
): Promise<CausalModel> {
  const model = (await createModel(
    { model_name: name },
    { inputShape: [8], classes: 10, parameters, lora: adapters, random: createRandom(1, name) },
  )) as CausalModel;
  // Projections that start at zero would hide what comes before them.
  const random = createRandom(2);
  for (const variable of model.variables.values()) {
    tf.tidy(() => {
      const moved = Float32Array.from({ length: variable.size }, () => 0.2 * random.normal());
      variable.assign(tf.add(variable, tf.tensor(moved, variable.shape)));
    });
  }
  return model;
}

interface Trained {
  readonly loss: number;
  readonly gradients: Map<string, Float32Array>;
}

/** Loss and gradients of one step. */
export function trained(
  model: CausalModel,
  options: { recompute: boolean; random?: Random },
  rows = TOKENS,
): Trained {
  const labels = rows === TOKENS ? LABELS : rows.flat();
  const gradients = new Map<string, Float32Array>();
  let loss = Number.NaN;
  tf.tidy(() => {
    const { value, grads } = tf.variableGrads(() => {
      const tokens = tf.tensor2d(rows, undefined, "int32");
      const logits = model.forwardTokens(tokens, { training: true, ...options });
      const targets = tf.oneHot(tf.tensor1d(labels, "int32"), 10);
      return tf.losses.softmaxCrossEntropy(targets, tf.reshape(logits, [labels.length, 10])) as tf.Scalar;
    }, [...model.variables.values()]);
    loss = value.dataSync()[0]!;
    for (const [weight, variable] of model.variables) {
      gradients.set(weight, grads[variable.name]!.dataSync<"float32">().slice());
    }
  });
  return { loss, gradients };
}
