import * as tf from "@tensorflow/tfjs-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRandom } from "../../../src/base/index.js";
import type { CausalModel, KeyValueCache } from "../../../src/models/index.js";
import { expectTensors } from "../../support/cpuTensors.js";
import { distance } from "../golden.js";
import { modelSuite } from "./modelSuite.js";

const options = { training: false } as const;
/** Rows of different lengths; the longest goes beyond windows of 5. */
const ROWS = [
  [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5],
  [2, 7, 1],
  [8, 2, 8, 1, 8, 2, 8],
];

/**
 * What every model that reads tokens must keep to.
 * @param make builds it anew, with a vocabulary of at least 10 and positions for at least 12 tokens
 */
export function causalSuite(name: string, make: () => Promise<CausalModel>): void {
  modelSuite(name, make, [4], 3);

  describe(`the causal model ${name}`, () => {
    let model: CausalModel;
    let whole: Float32Array[];
    beforeAll(async () => {
      model = await make();
      stir(model);
      whole = ROWS.map((row) => logitsOf(model, [row])[0]!);
    });
    afterAll(() => model.dispose());

    test("takes token ids of any number type as a model's inputs", () => {
      const inputs = tf.tensor2d(ROWS.slice(0, 1), undefined, "float32");
      const logits = model.forward(inputs, options);
      expect(logits.shape).toEqual([1, 11, model.vocabularySize]);
      expect(distance(logits.dataSync(), whole[0]!)).toBe(0);
    });

    test("makes logits of its states", () => {
      const tokens = tf.tensor2d(ROWS.slice(0, 1), undefined, "int32");
      const logits = tf.tidy(() => model.logits(model.hiddenStates(tokens, options)).dataSync());
      expect(distance(logits, whole[0]!)).toBe(0);
    });

    test("lets no token see a later one", () => {
      const changed = ROWS[0]!.map((token, place) => (place < 6 ? token : 0));
      const seen = 6 * model.vocabularySize;
      const logits = logitsOf(model, [changed])[0]!;
      expect(distance(logits.subarray(0, seen), whole[0]!.subarray(0, seen))).toBeLessThan(1e-5);
      expect(distance(logits.subarray(seen), whole[0]!.subarray(seen))).toBeGreaterThan(1e-3);
    });

    test("gives a row the same logits in any company", () => {
      logitsOf(model, ROWS).forEach((logits, row) => {
        expect(distance(logits, whole[row]!)).toBeLessThan(1e-5);
      });
    });

    test("reads rows of different lengths from a cache as it reads whole ones", async () => {
      await expectTensors(0, () => {
        const cache = model.createCache(ROWS.length, 11);
        const read = ROWS.map((): number[] => []);
        // Row 1 ends in the second piece, row 2 rests in it, and is at its end in the fourth.
        for (const take of [
          [4, 1, 3],
          [3, 2, 0],
          [1, 0, 1],
          [3, 0, 3],
        ]) {
          const pieces = ROWS.map((row, index) =>
            row.slice(cache.lengths[index], cache.lengths[index]! + take[index]!),
          );
          logitsOf(model, pieces, cache).forEach((logits, row) => void read[row]!.push(...logits));
        }
        expect([...cache.lengths]).toEqual([11, 3, 7]);
        read.forEach((logits, row) => void expect(distance(logits, whole[row]!)).toBeLessThan(1e-5));
        cache.dispose();
      });
    });

    test("goes on in several ways from one beginning", async () => {
      await expectTensors(0, () => {
        const beginning = model.createCache(2, 12);
        logitsOf(model, [[8, 2], ROWS[0]!.slice(0, 9)], beginning);
        const cache = beginning.select([1, 0, 1]);
        expect([...cache.lengths]).toEqual([9, 2, 9]);
        const [ended, other, again] = logitsOf(model, [[3, 5], [8, 1, 8], [3]], cache);
        const from = 9 * model.vocabularySize;
        expect(distance(ended!, whole[0]!.subarray(from))).toBeLessThan(1e-5);
        expect(distance(again!, whole[0]!.subarray(from, from + model.vocabularySize))).toBeLessThan(1e-5);
        const end = 5 * model.vocabularySize;
        expect(distance(other!, whole[2]!.subarray(2 * model.vocabularySize, end))).toBeLessThan(1e-5);
        cache.dispose();
        // The beginning is as it was.
        expect(
          distance(
            logitsOf(model, [[8], []], beginning)[0]!,
            whole[2]!.subarray(2 * model.vocabularySize, 3 * model.vocabularySize),
          ),
        ).toBeLessThan(1e-5);
        beginning.dispose();
      });
      expect(() => model.createCache(2, 4).select([2])).toThrow(/2 rows, none is 2/);
    });

    test("reads a row that branches as it reads its texts, and keeps nothing of it", async () => {
      const texts = [ROWS[0]!, [3, 1, 4, 7, 1], [3, 1, 8]];
      const expected = texts.map((text) => logitsOf(model, [text])[0]!);
      const size = model.vocabularySize;
      await expectTensors(0, () => {
        const cache = model.createCache(2, 11);
        logitsOf(model, [[3, 1], [2]], cache);
        // The first text from its third token on; of the second 7 and 1 behind 4; of the third 8 behind the cache.
        const rows = [
          [4, 1, 5, 9, 2, 6, 5, 3, 5, 7, 1, 8],
          [7, 7, 1],
        ];
        const parents = [-1, 0, 1, 2, 3, 4, 5, 6, 7, 0, 9, -1, -1, -1, 1, ...Array<number>(9).fill(5)];
        for (let time = 0; time < 2; time++) {
          const [first, second] = logitsOf(model, rows, cache, parents);
          expect(distance(first!.subarray(0, 9 * size), expected[0]!.subarray(2 * size))).toBeLessThan(1e-5);
          const side = first!.subarray(9 * size, 11 * size);
          expect(distance(side, expected[1]!.subarray(3 * size))).toBeLessThan(1e-5);
          expect(distance(first!.subarray(11 * size), expected[2]!.subarray(2 * size))).toBeLessThan(1e-5);
          // 7 stands there twice, and 1 follows the second.
          expect(distance(second!.subarray(0, size), whole[1]!.subarray(size, 2 * size))).toBeLessThan(1e-5);
          expect(distance(second!.subarray(size), whole[1]!.subarray(size))).toBeLessThan(1e-5);
          expect([...cache.lengths]).toEqual([2, 1]);
        }
        cache.dispose();
        const [tree] = logitsOf(model, [[3, 1, 4, 7, 1, 8]], undefined, [-1, 0, 1, 2, 3, 1]);
        expect(distance(tree!.subarray(0, 5 * size), expected[1]!)).toBeLessThan(1e-5);
        expect(distance(tree!.subarray(5 * size), expected[2]!.subarray(2 * size))).toBeLessThan(1e-5);
      });
      for (const parents of [[0], [-2], []]) {
        expect(() => logitsOf(model, [[3]], undefined, parents)).toThrow(
          expect.objectContaining({
            code: "DATA_INVALID",
            message: expect.stringContaining("Token 0 of row 0"),
          }),
        );
      }
    });

    test("goes on with the rows of several caches, and without those that have ended", async () => {
      const size = model.vocabularySize;
      await expectTensors(0, () => {
        const one = model.createCache(2, 11);
        logitsOf(model, [ROWS[0]!.slice(0, 8), [2]], one);
        const other = model.createCache(1, 11);
        logitsOf(model, [ROWS[2]!.slice(0, 3)], other);
        const all = one.join(other);
        one.dispose();
        other.dispose();
        expect([...all.lengths]).toEqual([8, 1, 3]);
        const [long, short, third] = logitsOf(model, [[5], [7], [1]], all);
        expect(distance(long!, whole[0]!.subarray(8 * size, 9 * size))).toBeLessThan(1e-5);
        expect(distance(short!, whole[1]!.subarray(size, 2 * size))).toBeLessThan(1e-5);
        expect(distance(third!, whole[2]!.subarray(3 * size, 4 * size))).toBeLessThan(1e-5);
        const rest = all.select([2, 1]);
        all.dispose();
        const [again, last] = logitsOf(model, [[8, 2, 8], [1]], rest);
        expect(distance(again!, whole[2]!.subarray(4 * size))).toBeLessThan(1e-5);
        expect(distance(last!, whole[1]!.subarray(2 * size))).toBeLessThan(1e-5);
        rest.dispose();
      });
      const [empty, read] = [model.createCache(1, 4), model.createCache(1, 4)];
      logitsOf(model, [[3]], read);
      expect(() => read.join(empty)).toThrow("none that is empty");
      read.dispose();
    });

    test.each<[string, number[][], number[] | undefined, RegExp]>([
      ["an id beyond the vocabulary", [[0, 999_999]], undefined, /Token 999999 in row 0, place 1/],
      ["a negative id", [[-1, 0]], undefined, /Token -1 in row 0, place 0/],
      ["more lengths than rows", [[0, 1]], [1, 1], /Lengths \[1, 1\] do not fit tokens \[1, 2\]/],
      ["a length beyond the row", [[0, 1]], [3], /numbers from 0 to 2/],
      [
        "more tokens than the cache holds",
        [[0, 1, 2]],
        undefined,
        /holds 1 tokens of at most 3; 3 more do not fit/,
      ],
      ["more rows than the cache has", [[0], [1]], undefined, /cache has 1 rows, the tokens 2/],
    ])("refuses %s and leaves everything as it was", async (_, rows, lengths, message) => {
      const cache = model.createCache(1, 3);
      logitsOf(model, [[3]], cache);
      await expectTensors(0, () => {
        const tokens = tf.tensor2d(rows, undefined, "int32");
        expect(() => model.forwardTokens(tokens, { ...options, cache, lengths })).toThrow(
          expect.objectContaining({ code: "DATA_INVALID", message: expect.stringMatching(message) }),
        );
        tokens.dispose();
      });
      expect([...cache.lengths]).toEqual([1]);
      const next = logitsOf(model, [[1]], cache)[0]!;
      expect(distance(next, whole[0]!.subarray(model.vocabularySize, 2 * model.vocabularySize))).toBeLessThan(
        1e-5,
      );
      cache.dispose();
    });
  });
}

/** Logits of the tokens of each row, padding cut off. */
function logitsOf(
  model: CausalModel,
  rows: readonly number[][],
  cache?: KeyValueCache,
  parents?: readonly number[],
): Float32Array[] {
  const length = Math.max(...rows.map((row) => row.length));
  const padded = rows.map((row) => [...row, ...new Array<number>(length - row.length).fill(9)]);
  const logits = tf.tidy(() => {
    const tokens = tf.tensor2d(padded, [rows.length, length], "int32");
    const lengths = rows.map((row) => row.length);
    return model.forwardTokens(tokens, { ...options, cache, lengths, parents }).dataSync<"float32">();
  });
  const each = length * model.vocabularySize;
  return rows.map((row, index) =>
    logits.slice(index * each, index * each + row.length * model.vocabularySize),
  );
}

/** Fresh models have zeros and ones, under which whole parts of them compute nothing. */
function stir(model: CausalModel): void {
  const random = createRandom(5, "stir");
  const weights = [...model.weights()].map(
    ([name, array]) =>
      [name, { ...array, data: array.data.map((value) => value + 0.3 * random.normal()) }] as const,
  );
  model.loadWeights(new Map(weights));
}
