import { describe, expect, test } from "vitest";
import { silentLogger } from "../../src/base/index.js";
import { loadBackend, tensorValues, tf } from "../../src/compute/index.js";
import { KeyValueBuffers } from "../../src/language/onnx/keyValueBuffers.js";
import { onnxMask } from "../../src/language/onnx/onnxMask.js";

const HIDDEN = -1e9;

describe("the mask of a pass", () => {
  test("shows a token itself and those before it, within its window", () => {
    const places = { before: [0, 0], slots: 0, length: 3 };
    // Rows that are alike share one.
    expect(onnxMask({ ...places, window: Number.POSITIVE_INFINITY })).toEqual({
      rows: 1,
      values: Float32Array.from([0, HIDDEN, HIDDEN, 0, 0, HIDDEN, 0, 0, 0]),
    });
    expect(onnxMask({ ...places, window: 2 }).values).toEqual(
      Float32Array.from([0, HIDDEN, HIDDEN, 0, 0, HIDDEN, HIDDEN, 0, 0]),
    );
  });

  test("hides slots that a row does not use", () => {
    const { rows, values } = onnxMask({ before: [1, 3], slots: 3, length: 2, window: 3 });
    expect(rows).toBe(2);
    expect(values).toEqual(
      Float32Array.from([
        // Places 1 and 2 of the first row: one slot is used, the second and third token are new.
        ...[0, HIDDEN, HIDDEN, 0, HIDDEN],
        ...[0, HIDDEN, HIDDEN, 0, 0],
        // Places 3 and 4 of the second: three tokens are seen.
        ...[HIDDEN, 0, 0, 0, HIDDEN],
        ...[HIDDEN, HIDDEN, 0, 0, 0],
      ]),
    );
  });
});

describe("kept keys and values", () => {
  const shape = { layers: 1, keyHeads: 1, headSize: 2 };
  /** Of two rows and one head: [2, 1, length, 2]. */
  const layer = (...numbers: number[]) => ({
    keys: Float32Array.from(numbers),
    values: Float32Array.from(numbers, (value) => -value),
  });
  const rowOf = (cache: KeyValueBuffers, row: number, name: "keys" | "values" = "keys") => {
    const [, , room, size] = cache.dimensions;
    const start = row * room * size;
    return [...cache.layers[0]![name].subarray(start, start + cache.lengths[row]! * size)];
  };

  test("of a row lie one behind another, without padding", () => {
    const cache = new KeyValueBuffers(shape, 2, 100, 0);
    cache.reserve(2);
    cache.append([layer(1, 2, 3, 4, /* row 1 */ 5, 6, 0, 0)], 2, Int32Array.of(2, 1));
    cache.reserve(70);
    cache.append([layer(7, 8, /* row 1 */ 9, 10)], 1, Int32Array.of(0, 1));
    expect([...cache.lengths]).toEqual([2, 2]);
    expect(rowOf(cache, 0)).toEqual([1, 2, 3, 4]);
    expect(rowOf(cache, 1)).toEqual([5, 6, 9, 10]);
    expect(rowOf(cache, 1, "values")).toEqual([-5, -6, -9, -10]);
    const [twice, again] = [cache.select([1, 1, 0]), cache.select([0])];
    cache.dispose();
    expect([0, 1, 2].map((row) => rowOf(twice, row))).toEqual([
      [5, 6, 9, 10],
      [5, 6, 9, 10],
      [1, 2, 3, 4],
    ]);
    expect(rowOf(again, 0)).toEqual([1, 2, 3, 4]);
  });

  test("take no more room than is asked for and little beside", () => {
    const cache = new KeyValueBuffers(shape, 1, 1000, 0);
    expect(cache.room).toBe(0);
    cache.reserve(10);
    expect(cache.room).toBeLessThan(100);
    cache.reserve(1000);
    expect(cache.room).toBe(1000);
  });
});

test("a tensor's numbers are read where they are", async () => {
  for (const backend of ["cpu", "wasm"] as const) {
    await loadBackend(backend, { logger: silentLogger });
    const variable = tf.variable(tf.tensor1d([1, 2, 3]));
    const values = tensorValues(variable);
    expect([...values]).toEqual([1, 2, 3]);
    expect(tensorValues(variable).buffer).toBe(values.buffer);
    variable.assign(tf.tensor1d([4, 5, 6]));
    expect([...tensorValues(variable)]).toEqual([4, 5, 6]);
    variable.dispose();
    expect(() => tensorValues(variable)).toThrow();
  }
});
