import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NO_LABEL, TextDataset } from "../../../src/data/index.js";
import { cutRows, joinRows, packWhole } from "../../../src/data/text/packRows.js";
import type { TokenRow } from "../../../src/data/text/tokenRow.js";

const row = (ids: number[], mask: number[] = ids.map(() => 1), group = 0) => ({
  ids: Int32Array.from(ids),
  mask: Uint8Array.from(mask),
  group,
});

describe("rows of tokens", () => {
  const dataset = new TextDataset({
    rows: [row([5, 6, 7, 8]), row([1, 2], [0, 1], 1), row([3, 4, 9], [1, 0, 1])],
    maxLength: 3,
    vocabularySize: 10,
    padId: 9,
    groupNames: ["ann", "bob"],
  });

  test("a batch is as wide as its longest row; each place is asked for the id behind it", () => {
    const batch = dataset.batch([1, 0, 2]);
    expect(batch).toEqual({
      inputs: Float32Array.of(1, 9, 9, 5, 6, 7, 3, 4, 9),
      inputShape: [3],
      labels: Int32Array.of(2, NO_LABEL, NO_LABEL, 6, 7, 8, NO_LABEL, 9, NO_LABEL),
      labelShape: [3],
      lengths: Int32Array.of(1, 3, 2),
      length: 3,
    });
    expect(dataset.batch([1]).inputShape).toEqual([1]);
    expect(dataset.batch([]).inputs).toHaveLength(0);
  });

  test("tells its form, its owners, and gives rows that are copies", () => {
    expect(dataset).toMatchObject({ length: 3, inputShape: [3], classes: 10 });
    expect(dataset.groups).toEqual({ names: ["ann", "bob"], of: Int32Array.of(0, 1, 0) });
    dataset.row(0).ids[0] = 0;
    expect(dataset.row(0)).toEqual({ ids: Int32Array.of(5, 6, 7, 8), mask: Uint8Array.of(1, 1, 1, 1) });
    expect(() => dataset.batch([3])).toThrow(new RangeError("row 3 is asked for, but the rows are 0 to 2"));
  });

  test.each([
    [row([1]), "row 0 has 1 tokens; expected 2 to 4"],
    [row([1, 2, 3, 4, 5]), "row 0 has 5 tokens; expected 2 to 4"],
    [row([1, 2], [1]), "row 0 has 2 tokens and a mask of 1"],
    [row([1, 10]), "row 0 has the token 10; expected 0 to 9"],
    [row([1, 2], [1, 1], 1), "row 0 has the owner 1; expected 0 to 0"],
  ])("refuses rows that do not fit", (bad, message) => {
    expect(() => new TextDataset({ rows: [bad], maxLength: 3, vocabularySize: 10 })).toThrow(
      expect.objectContaining({ code: "DATA_INVALID", message: expect.stringContaining(message) }),
    );
  });
});

const texts = fc.array(
  fc
    .array(fc.tuple(fc.nat({ max: 50 }), fc.constantFrom(0, 1)), { minLength: 1, maxLength: 40 })
    .map((pairs) =>
      row(
        pairs.map(([id]) => id),
        pairs.map(([, asked]) => asked),
      ),
    ),
  { maxLength: 12 },
);
const lengths = fc.integer({ min: 1, max: 16 });

/** The pairs of an id and the one before it that rows ask for, in order. */
function asked(rows: readonly TokenRow[]): string[] {
  return rows.flatMap(({ ids, mask }) =>
    [...ids].flatMap((id, place) => (place > 0 && mask[place] === 1 ? [`${ids[place - 1]}>${id}`] : [])),
  );
}

describe("cutting a text", () => {
  test("gives rows that share one id with the one before", () => {
    const rows = cutRows(row([1, 2, 3, 4, 5, 6]), 2);
    expect(rows.map(({ ids }) => [...ids])).toEqual([
      [1, 2, 3],
      [3, 4, 5],
      [5, 6],
    ]);
  });

  test("asks for everything exactly once, in no more than the length of a row", () => {
    fc.assert(
      fc.property(texts, lengths, (all, maxLength) => {
        for (const text of all) {
          const rows = cutRows(text, maxLength);
          expect(asked(rows)).toEqual(asked([text]));
          for (const { ids, mask } of rows) {
            expect(ids.length).toBeGreaterThan(1);
            expect(ids.length).toBeLessThanOrEqual(maxLength + 1);
            expect(mask.length).toBe(ids.length);
          }
        }
      }),
    );
  });
});

describe("packing", () => {
  test("joins texts without losing an id, and asks for nothing across their borders", () => {
    fc.assert(
      fc.property(texts, (all) => {
        const joined = joinRows(all);
        expect([...joined.ids]).toEqual(all.flatMap(({ ids }) => [...ids]));
        expect(asked([joined])).toEqual(asked(all));
      }),
    );
  });

  test("puts whole examples into rows while they fit", () => {
    const rows = packWhole([row([1, 2]), row([3, 4]), row([5, 6, 7, 8, 9]), row([10])], 3);
    expect(rows.map(({ ids }) => [...ids])).toEqual([[1, 2, 3, 4], [5, 6, 7, 8], [10]]);
    expect([...rows[0]!.mask]).toEqual([0, 1, 0, 1]);
  });

  test("keeps order and labels of examples that are no longer than a row", () => {
    fc.assert(
      fc.property(texts, (all) => {
        const maxLength = Math.max(1, ...all.map(({ ids }) => ids.length - 1));
        const rows = packWhole(all, maxLength);
        expect(rows.flatMap(({ ids }) => [...ids])).toEqual(all.flatMap(({ ids }) => [...ids]));
        expect(asked(rows)).toEqual(asked(all));
        expect(rows.every(({ ids }) => ids.length <= maxLength + 1)).toBe(true);
      }),
    );
  });
});
