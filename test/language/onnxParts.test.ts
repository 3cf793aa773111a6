import { describe, expect, test } from "vitest";
import { silentLogger } from "../../src/base/index.js";
import { loadBackend, tensorValues, tf } from "../../src/compute/index.js";
import { KeyValueBuffers } from "../../src/language/onnx/keyValueBuffers.js";
import { OnnxAngles } from "../../src/language/onnx/onnxAngles.js";
import { onnxMask } from "../../src/language/onnx/onnxMask.js";
import { planReading } from "../../src/language/onnx/reading.js";
import { bigramNetwork } from "./bigramNetwork.js";

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

describe("the mask of rows that branch", () => {
  test("shows what a token follows, and nothing beside it", () => {
    // Behind one token that was read before: 0, then 1 behind it; and 2 behind what came before.
    const parents = Int32Array.of(-1, 0, -1);
    const places = { before: [1], slots: 1, length: 3, parents };
    expect(onnxMask({ ...places, window: Number.POSITIVE_INFINITY })).toEqual({
      rows: 1,
      values: Float32Array.from([...[0, 0, HIDDEN, HIDDEN], ...[0, 0, 0, HIDDEN], ...[0, HIDDEN, HIDDEN, 0]]),
    });
    expect(onnxMask({ ...places, window: 2 }).values.subarray(4, 8)).toEqual(
      Float32Array.of(HIDDEN, 0, 0, HIDDEN),
    );
  });

  test("is laid over places that are counted along the branches", () => {
    const cache = new KeyValueBuffers({ layers: 0, keyHeads: 1, headSize: 8 }, 2, 100, 0);
    cache.append([], 2, Int32Array.of(2, 1));
    const network = { ...bigramNetwork, longestRow: 100 };
    const model = { name: "some", vocabularySize: 9, network };
    const rows = [
      [1, 2, 3, 4],
      [5, 6],
    ];
    const pass = { cache, parents: [[-1, 0, -1, 2], undefined] };
    const reading = planReading(rows, pass, model);
    expect(reading.form).toBe("onward");
    // Padding stands where the row's last token does.
    expect([...reading.positions]).toEqual([2, 3, 2, 3, 1, 2, 2, 2]);
    expect([...reading.parents!]).toEqual([-1, 0, -1, 2, -1, 0, -1, -1]);
    expect([...reading.totals]).toEqual([4, 3]);
    expect(planReading(rows, { parents: pass.parents }, model).form).toBe("masked");
    expect(planReading(rows, {}, model).form).toBe("whole");
    const steps = { ...model, network: { ...network, cache: { layers: 0, keyHeads: 1, headSize: 8 } } };
    expect(planReading([[1], [2]], { cache }, steps).form).toBe("step");
    expect(planReading([[1], [2, 3]], { cache }, steps).form).toBe("onward");
    expect(planReading([[1], [2]], { cache }, model).form).toBe("onward");
    expect(() => planReading([[1], new Array(100).fill(1)], { cache }, model)).toThrow("Row 1 of 101 tokens");
  });
});

test("a table of angles has as many places as a pass has tokens, though they stand near the beginning", () => {
  const scaling = { type: "default" } as const;
  const angles = new OnnxAngles({ size: 4, base: 10_000, scaling, direction: 1 });
  const packed = { positions: new Int32Array(300).fill(1), totals: [2] };
  expect(angles.of(packed).cos.length).toBeGreaterThanOrEqual(300 * 2);
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
