import * as tf from "@tensorflow/tfjs-core";
import { embedding } from "../../compute/fused/index.js";
import { type CausalModel, type KeyValueCache, MOST_LOGITS } from "../../models/index.js";
import { readLogits } from "../nextToken.js";
import type { TokenPass, TokenReader } from "../passes/tokenReader.js";

/** Reads tokens with a causal model, on the compute back end in use. */
export function tfReader(model: CausalModel): TokenReader<KeyValueCache> {
  return {
    name: model.name,
    contextLength: model.contextLength,
    vocabularySize: model.vocabularySize,
    branches: true,
    createCache: (batch, capacity) => model.createCache(batch, capacity),
    async read(rows, pass) {
      readRows(model, rows, pass);
    },
    async score(rows, { places, visit, ...from }) {
      readRows(model, rows, {
        ...from,
        places,
        visit(index, logits) {
          const next = readLogits(logits);
          visit(index, {
            best: next.best,
            logProbabilities: places[index]!.tokens.map((token) => next.logProbability(token)),
          });
        },
      });
    },
    forward: async (rows) => forwardRows(model, rows),
  };
}

function readRows(
  model: CausalModel,
  rows: readonly (readonly number[])[],
  { cache, parents, places, visit }: TokenPass<KeyValueCache>,
): void {
  tf.tidy(() => {
    const tokens = padded(rows);
    const length = tokens.shape[1];
    const states = model.hiddenStates(tokens, {
      training: false,
      cache,
      lengths: lengthsOf(rows),
      parents: parents && joinedParents(parents, length),
    });
    const size = model.vocabularySize;
    const each = Math.max(1, Math.floor(MOST_LOGITS / size));
    for (let start = 0; start < places.length; start += each) {
      const chosen = places.slice(start, start + each).map(({ row, token }) => row * length + token);
      const logits = logitsOf(model, states, chosen);
      chosen.forEach(
        (_, index) => void visit(start + index, logits.subarray(index * size, (index + 1) * size)),
      );
    }
  });
}

/** A row that does not branch has each token follow the one in front. */
function joinedParents(parents: readonly (readonly number[] | undefined)[], length: number): Int32Array {
  const all = Int32Array.from({ length: parents.length * length }, (_, at) => (at % length) - 1);
  parents.forEach((own, row) => void all.set(own ?? [], row * length));
  return all;
}

/** Nothing is given back through `tf.tidy`, which would look for tensors in every number. */
function logitsOf(model: CausalModel, states: tf.Tensor2D, rows: readonly number[]): Float32Array {
  const index = tf.tensor1d(rows as number[], "int32");
  const chosen = embedding(states, index);
  const logits = model.logits(chosen);
  const values = logits.dataSync<"float32">();
  for (const tensor of [index, chosen, logits]) tensor.dispose();
  return values;
}

/** Not through `tf.tidy`, as above. */
function forwardRows(model: CausalModel, rows: readonly (readonly number[])[]): Float32Array {
  const tokens = padded(rows);
  try {
    const logits = model.forwardTokens(tokens, { training: false, lengths: lengthsOf(rows) });
    const values = logits.dataSync<"float32">();
    logits.dispose();
    return values;
  } finally {
    tokens.dispose();
  }
}

function padded(rows: readonly (readonly number[])[]): tf.Tensor2D {
  const length = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const ids = new Int32Array(rows.length * length);
  rows.forEach((row, index) => void ids.set(row, index * length));
  return tf.tensor2d(ids, [rows.length, length], "int32");
}

function lengthsOf(rows: readonly (readonly number[])[]): number[] {
  return rows.map(({ length }) => length);
}
