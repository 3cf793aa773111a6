import * as tf from "@tensorflow/tfjs-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadPretrained } from "../../../src/models/huggingFace/pretrained.js";
import type { CausalModel, KeyValueCache } from "../../../src/models/index.js";
import { distance, type Golden, nextTokenLoss, readGolden } from "../golden.js";

/** Folders with what a reference implementation computed. */
export const GOLDENS = [
  "gpt2",
  "gpt2-variant",
  "llama",
  "llama-biases",
  "llama-linear",
  "llama-dynamic",
  "llama3",
  "llama-yarn",
  "llama-yarn-variant",
  "smollm2",
  "smollm2-sharded",
  "qwen2",
  "qwen2-sliding",
  "qwen3",
  "mistral",
  "nanochat",
  "nanochat-grouped",
] as const;
const TOLERANCE = 1e-4;
/** Of a mean over all tokens, gradients are small numbers. */
const GRADIENT_TOLERANCE = 1e-5;

/** Demands of the back end in use that every family computes what its reference implementation does. */
export function goldenSuite(): void {
  describe.each(GOLDENS)("%s", (name) => {
    let golden: Golden;
    let model: CausalModel;
    beforeAll(async () => {
      golden = await readGolden(name);
      model = await loadPretrained(golden.folder, name);
    });
    afterAll(() => model.dispose());

    test("gives the reference's logits", () => {
      const logits = tf.tidy(() =>
        model
          .forwardTokens(tf.tensor2d(golden.tokens as number[][], undefined, "int32"), { training: false })
          .dataSync(),
      );
      report(name, "logits", distance(logits, golden.logits));
      expect(distance(logits, golden.logits)).toBeLessThan(TOLERANCE);
    });

    test("gives the reference's loss and gradients", () => {
      tf.tidy(() => {
        const tokens = tf.tensor2d(golden.tokens as number[][], undefined, "int32");
        const { value, grads } = tf.variableGrads(
          // Dropout is off: the reference was in evaluation mode.
          () =>
            nextTokenLoss(
              model.forward(tf.cast(tokens, "float32"), { training: false }) as tf.Tensor3D,
              tokens,
            ),
          [...model.variables.values()],
        );
        expect(Math.abs(value.dataSync()[0]! - golden.loss)).toBeLessThan(TOLERANCE);
        for (const [weight, { shape, data }] of golden.gradients) {
          const gradient = grads[model.variables.get(weight)!.name]!;
          expect(gradient.shape, weight).toEqual(shape);
          report(name, weight, distance(gradient.dataSync(), data));
          expect(distance(gradient.dataSync(), data), weight).toBeLessThan(GRADIENT_TOLERANCE);
        }
        for (const variable of model.variables.values()) expect(grads[variable.name]).toBeDefined();
      });
    });

    test("goes on as the reference does", () => {
      const beginnings = golden.tokens.map((row) => row.slice(0, row.length / 2));
      const count = golden.greedy[0]!.length;
      expect(continued(model, beginnings, count)).toEqual(golden.greedy);
      // Dynamic scaling keeps nothing beyond its original context.
      if (name === "llama-dynamic") return;
      expect(continuedFromCache(model, beginnings, count)).toEqual(golden.greedy);
    });
  });
}

/** Reads whole rows for every token. */
function continued(model: CausalModel, beginnings: number[][], count: number): number[][] {
  let rows = beginnings;
  for (let step = 0; step < count; step++) {
    const next = likeliest(model, rows);
    rows = rows.map((row, index) => [...row, next[index]!]);
  }
  return rows.map((row) => row.slice(-count));
}

/** Reads every token once. */
function continuedFromCache(model: CausalModel, beginnings: number[][], count: number): number[][] {
  const cache = model.createCache(beginnings.length, beginnings[0]!.length + count);
  const rows: number[][] = beginnings.map(() => []);
  let next = beginnings;
  for (let step = 0; step < count; step++) {
    next = likeliest(model, next, cache).map((token) => [token]);
    next.forEach(([token], row) => void rows[row]!.push(token!));
  }
  cache.dispose();
  return rows;
}

function likeliest(model: CausalModel, rows: number[][], cache?: KeyValueCache): number[] {
  return tf.tidy(() => {
    const tokens = tf.tensor2d(rows, undefined, "int32");
    const logits = model.forwardTokens(tokens, { training: false, cache });
    return [...tf.argMax(tf.slice(logits, [0, tokens.shape[1] - 1, 0], [-1, 1, -1]), -1).dataSync()];
  });
}

function report(name: string, what: string, value: number): void {
  if (process.env.GOLDEN_DISTANCES)
    console.log(`${tf.getBackend()} ${name} ${what} ${value.toExponential(1)}`);
}
