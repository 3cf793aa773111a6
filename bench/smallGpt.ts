import { createRandom } from "../src/base/index.js";
import { tf } from "../src/compute/index.js";
import { type CausalModel, createModel, isCausalModel } from "../src/models/index.js";

/** Tokens of a row, and rows of a batch. */
export const CONTEXT = 128;
export const BATCH = 8;

/** A GPT of 4 layers, width 128, 4 heads and a head of its own for the logits: 875,264 weights with 256 tokens. */
export async function smallGpt(vocabulary: number): Promise<CausalModel> {
  const parameters = {
    n_layer: 4,
    n_head: 4,
    n_embd: 128,
    block_size: CONTEXT,
    vocab_size: vocabulary,
    tie_word_embeddings: false,
  };
  const model = await createModel(
    { model_name: "gpt" },
    { inputShape: [CONTEXT], classes: vocabulary, parameters, random: createRandom(1, "weights") },
  );
  if (!isCausalModel(model)) throw new Error("the model gpt reads no tokens");
  return model;
}

/** Random token ids, [BATCH, CONTEXT]. */
export function randomTokens(vocabulary: number, label: string): tf.Tensor2D {
  const random = createRandom(1, label);
  const ids = Int32Array.from({ length: BATCH * CONTEXT }, () => Math.floor(random.next() * vocabulary));
  return tf.tensor2d(ids, [BATCH, CONTEXT], "int32");
}

/**
 * Middle of the tokens per second of repetitions of `steps` calls, each over one batch. Seconds are those of the
 * processor, which a busy machine does not stretch.
 */
export function tokensPerSecond(step: () => void, steps: number, repetitions: number): number {
  const rates = Array.from({ length: repetitions }, () => {
    const start = process.cpuUsage();
    for (let index = 0; index < steps; index += 1) step();
    const { user, system } = process.cpuUsage(start);
    return (steps * BATCH * CONTEXT * 1e6) / (user + system);
  });
  return rates.sort((a, b) => a - b)[Math.floor(repetitions / 2)]!;
}
