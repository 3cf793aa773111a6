import { describe, expect, test } from "vitest";
import type { Dataset } from "../../../src/data/index.js";

/**
 * What every data set of plain rows must keep to.
 * @param make three rows of shape [2, 1] with inputs 0 to 5 and labels 2, 0, 1 of three classes
 */
export function datasetSuite(name: string, make: () => Dataset | Promise<Dataset>): void {
  describe(`the data set ${name}`, () => {
    test("says its form", async () => {
      expect(await make()).toMatchObject({ length: 3, inputShape: [2, 1], classes: 3 });
      expect((await make()).labels).toEqual(Int32Array.of(2, 0, 1));
    });

    test("copies the rows that are asked for, in that order, as often as they are", async () => {
      const dataset = await make();
      const batch = dataset.batch([2, 0, 2]);
      expect(batch).toMatchObject({ inputShape: [2, 1], length: 3 });
      expect(batch.inputs).toEqual(Float32Array.of(4, 5, 0, 1, 4, 5));
      expect(batch.labels).toEqual(Int32Array.of(1, 2, 1));
      // Neither changes with the next batch, nor changes the data set.
      batch.inputs.fill(9);
      batch.labels.fill(9);
      expect(dataset.batch(Int32Array.of(2)).inputs).toEqual(Float32Array.of(4, 5));
      expect(dataset.batch([2]).labels).toEqual(Int32Array.of(1));
    });

    test("gives an empty batch of no rows", async () => {
      expect((await make()).batch([])).toMatchObject({ length: 0, inputs: new Float32Array(0) });
    });

    test.each([-1, 3, 0.5, Number.NaN])("knows no row %d", async (row) => {
      const dataset = await make();
      expect(() => dataset.batch([0, row])).toThrow(RangeError);
    });
  });
}
