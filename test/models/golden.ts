import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as tf from "@tensorflow/tfjs-core";
import { z } from "zod";
import { readSafetensors, type Weights } from "../../src/weights/index.js";

/** What a reference implementation computed, as `goldens/make.py` wrote it. */
export interface Golden {
  readonly folder: string;
  /** Rows of one length. */
  readonly tokens: readonly number[][];
  /** Mean cross entropy of each next token. */
  readonly loss: number;
  /** Continuations of the first half of each row. */
  readonly greedy: readonly number[][];
  /** [rows, length, vocabulary] */
  readonly logits: Float32Array;
  /** Of the loss, by weight. */
  readonly gradients: Weights;
}

const facts = z.object({
  tokens: z.array(z.array(z.int())),
  loss: z.number(),
  greedy: z.array(z.array(z.int())),
});

export async function readGolden(name: string): Promise<Golden> {
  const folder = join(import.meta.dirname, "goldens", name);
  const { arrays } = await readSafetensors(join(folder, "golden.safetensors"));
  const gradients = [...arrays]
    .filter(([key]) => key.startsWith("gradient "))
    .map(([key, array]) => [key.slice("gradient ".length), array] as const);
  return {
    folder,
    ...facts.parse(JSON.parse(await readFile(join(folder, "golden.json"), "utf8"))),
    logits: arrays.get("logits")!.data as Float32Array,
    gradients: new Map(gradients),
  };
}

/** Mean cross entropy of each token from those before it. */
export function nextTokenLoss(logits: tf.Tensor3D, tokens: tf.Tensor2D): tf.Scalar {
  const [rows, length, vocabulary] = logits.shape;
  const scores = tf.logSoftmax(
    tf.reshape(tf.slice(logits, [0, 0, 0], [rows, length - 1, vocabulary]), [-1, vocabulary]),
  );
  const targets = tf.oneHot(tf.reshape(tf.slice(tokens, [0, 1], [rows, length - 1]), [-1]), vocabulary);
  return tf.neg(tf.mean(tf.sum(tf.mul(scores, targets), -1))) as tf.Scalar;
}

/** The largest distance between two arrays, as a share of the larger number where that is above one. */
export function distance(actual: ArrayLike<number>, expected: ArrayLike<number>): number {
  if (actual.length !== expected.length) return Number.POSITIVE_INFINITY;
  let largest = 0;
  for (let index = 0; index < expected.length; index++) {
    const difference = Math.abs(actual[index]! - expected[index]!) / Math.max(1, Math.abs(expected[index]!));
    // A NaN is no distance at all, and must not pass for a small one.
    if (!(difference <= largest)) largest = Number.isNaN(difference) ? Number.POSITIVE_INFINITY : difference;
  }
  return largest;
}
