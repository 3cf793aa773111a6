import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import * as tf from "@tensorflow/tfjs-core";
import { describe, expect, test } from "vitest";
import { createFedAvg } from "../../src/algorithms/fedavg.js";
import { createRandom } from "../../src/base/index.js";
import { buildCatalog } from "../../src/cli/catalog.js";
import { type Config, loadConfigObject } from "../../src/config/index.js";
import { type CausalModel, createModel } from "../../src/models/index.js";
import { loadPretrained, savePretrained } from "../../src/models/kit.js";
import type { Weights } from "../../src/weights/index.js";
import { updateOf } from "../algorithms/updates.js";
import { distance } from "../models/golden.js";
import "../support/cpuTensors.js";
import { temporaryFolder } from "../support/temporaryFolder.js";
import { tinyHost, unstopped } from "./fixtures/tinyHost.js";

const folder = temporaryFolder("tied-weights");
const sizes = {
  gpt2: { vocab_size: 280, n_positions: 96, n_embd: 12, n_layer: 1, n_head: 2, tie_word_embeddings: true },
  llama: {
    vocab_size: 280,
    max_position_embeddings: 96,
    hidden_size: 12,
    intermediate_size: 16,
    num_hidden_layers: 1,
    num_attention_heads: 2,
    num_key_value_heads: 1,
    tie_word_embeddings: true,
  },
};
const tables = { gpt2: "transformer.wte.weight", llama: "model.embed_tokens.weight" };

function configOf(type: keyof typeof sizes): Config {
  const config = {
    general: { base_path: folder },
    clients: { total_clients: 2, per_round: 2 },
    data: {
      datasource: "nanochat",
      sampler: "iid",
      max_seq_length: 96,
      partition_size: 3,
      train_rows: 6,
      test_rows: 2,
    },
    trainer: {
      type: "gpt",
      backend: "cpu",
      tokenizer_name: "byte",
      rounds: 1,
      epochs: 1,
      batch_size: 3,
      optimizer: "AdamW",
      model_name: type,
    },
    parameters: { model: sizes[type], optimizer: { lr: 0.01 } },
    algorithm: { type: "fedavg" },
  };
  return loadConfigObject(config, buildCatalog()).config;
}

/** Two clients train and are averaged, as a server does it. */
async function oneRound(config: Config): Promise<{ before: Weights; after: Weights }> {
  const { host } = await tinyHost(config, "process");
  const before = await host.initialWeights();
  const aggregation = createFedAvg().server.begin(before, 1);
  for (const clientId of [1, 2]) {
    const task = { round: 1, clientId, weights: before, test: false, state: new Map<string, unknown>() };
    const { weights, numSamples } = await host.train(task, unstopped);
    await aggregation.fold(updateOf(clientId, numSamples, weights));
  }
  await host.close();
  return { before, after: await aggregation.finish() };
}

describe.each(["gpt2", "llama"] as const)("the tied embeddings of %s", (type) => {
  test("travel once, and after a round of averaging are still one table for both ends", async () => {
    const { before, after } = await oneRound(configOf(type));
    const table = tables[type];
    const ofVocabulary = [...after].filter(([, { shape }]) => shape[0] === 280).map(([name]) => name);
    expect(ofVocabulary).toEqual([table]);
    expect(after.get(table)!.data).not.toEqual(before.get(table)!.data);

    const request = { inputShape: [96], classes: 280, parameters: sizes[type], random: createRandom(2) };
    const model = (await createModel({ model_name: type }, request)) as CausalModel;
    model.loadWeights(after);
    requireTied(model, after.get(table)!.data as Float32Array);

    const saved = await mkdtemp(join(folder, "saved-"));
    await savePretrained(model, saved);
    const loaded = await loadPretrained(saved);
    expect(loaded.weights()).toEqual(after);
    requireTied(loaded, after.get(table)!.data as Float32Array);
  });
});

/** The head multiplies by the very numbers that embed a token: the logits of a state are its products with them. */
function requireTied(model: CausalModel, table: Float32Array): void {
  tf.tidy(() => {
    const state = tf.tensor2d(
      Array.from({ length: 12 }, (_, at) => (at % 5) - 2),
      [1, 12],
    );
    const expected = tf.matMul(state as tf.Tensor2D, tf.tensor2d(table, [280, 12]), false, true).dataSync();
    expect(distance(model.logits(state as tf.Tensor2D).dataSync(), expected)).toBeLessThan(1e-6);
  });
  const [name] = [...model.weights()].find(([, { shape }]) => shape[0] === 280)!;
  const tokens = tf.tensor2d([[7]], undefined, "int32");
  const before = model.forwardTokens(tokens, { training: false }).dataSync();
  // A change of one row of the one table reaches both ends: the state of that token, and the logit of another.
  const changed = table.slice();
  for (let at = 7 * 12; at < 8 * 12; at++) changed[at]! += 0.5 - (at % 3);
  const weights = new Map(model.weights());
  model.loadWeights(new Map(weights).set(name, { ...weights.get(name)!, data: changed }));
  const after = model.forwardTokens(tokens, { training: false }).dataSync();
  expect(Math.abs(after[100]! - before[100]!)).toBeGreaterThan(1e-6);
  model.loadWeights(weights);
}
