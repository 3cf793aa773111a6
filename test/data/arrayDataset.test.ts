import { describe, expect, test } from "vitest";
import { ArrayDataset, type ArrayDatasetInit } from "../../src/data/index.js";

const good: ArrayDatasetInit = {
  inputs: Float32Array.of(1, 2, 3, 4, 5, 6),
  inputShape: [2],
  labels: Int32Array.of(0, 1, 2),
  classes: 3,
};

describe("an in-memory data set", () => {
  test("copies the rows that are asked for, in their order, also twice", () => {
    const dataset = new ArrayDataset(good);
    const batch = dataset.batch([2, 0, 2]);
    expect(batch).toEqual({
      inputs: Float32Array.of(5, 6, 1, 2, 5, 6),
      inputShape: [2],
      labels: Int32Array.of(2, 0, 2),
      length: 3,
    });
    batch.inputs.fill(9);
    batch.labels.fill(9);
    expect(dataset.batch([0]).inputs).toEqual(Float32Array.of(1, 2));
    expect(dataset.labels).toEqual(Int32Array.of(0, 1, 2));
  });

  test("keeps real-valued labels for regression", () => {
    const dataset = new ArrayDataset({ ...good, labels: Float32Array.of(0.5, -1, 2.5), classes: 0 });
    expect(dataset.batch([1, 2]).labels).toEqual(Float32Array.of(-1, 2.5));
  });

  test("may be empty", () => {
    const empty = new ArrayDataset({ ...good, inputs: new Float32Array(0), labels: new Int32Array(0) });
    expect(empty.length).toBe(0);
    expect(empty.batch([]).length).toBe(0);
  });

  test.each<[string, Partial<ArrayDatasetInit>, RegExp]>([
    [
      "too few numbers",
      { inputs: new Float32Array(5) },
      /5 input numbers for 3 labels; expected 3 rows of 2/,
    ],
    ["a shape with a zero", { inputShape: [0] }, /input shape is \[0\]/],
    ["a fractional class count", { classes: 2.5 }, /number of classes is 2.5/],
    [
      "a number that is none",
      { inputs: Float32Array.of(1, 2, 3, Number.NaN, 5, 6) },
      /row 1, number 1 is NaN/,
    ],
    ["a label beyond the classes", { classes: 2 }, /row 2 has the label 2; expected a class from 0 to 1/],
    ["a negative label", { labels: Int32Array.of(0, -1, 2) }, /row 1 has the label -1/],
    [
      "class labels as floats",
      { labels: Float32Array.of(0, 1, 2) },
      /a Float32Array; expected an Int32Array/,
    ],
    [
      "a target that is infinite",
      { classes: 0, labels: Float32Array.of(0, 1, Number.POSITIVE_INFINITY) },
      /row 2 has the label Infinity/,
    ],
  ])("refuses %s", (_, change, message) => {
    expect(() => new ArrayDataset({ ...good, ...change })).toThrow(
      expect.objectContaining({ code: "DATA_INVALID", message: expect.stringMatching(message) }),
    );
  });

  test.each([-1, 3, 0.5])("refuses to give row %s of three", (index) => {
    expect(() => new ArrayDataset(good).batch([0, index])).toThrow(RangeError);
  });
});
