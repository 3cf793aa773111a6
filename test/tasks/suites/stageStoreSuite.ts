import { describe, expect, it } from "vitest";
import type { StageRow, StageStore } from "../../../src/tasks/pipeline/stages/stageStore.js";

/**
 * What every store of stages keeps to.
 * @param open a store of its own for each call
 * @param reopen what another process finds after this one; absent for a store that ends with its process
 */
export function stageStoreSuite(
  name: string,
  open: () => Promise<StageStore>,
  reopen?: (store: StageStore) => Promise<StageStore>,
): void {
  describe(`stages in ${name}`, () => {
    it("gives rows back by ascending index, whatever the order they came in", async () => {
      const store = await open();
      for (const index of [2, 0, 10, 1]) await store.append("generated", index, { text: `row ${index}` });
      expect(await collect(store.rows("generated"))).toEqual([
        { index: 0, row: { text: "row 0" } },
        { index: 1, row: { text: "row 1" } },
        { index: 2, row: { text: "row 2" } },
        { index: 10, row: { text: "row 10" } },
      ]);
    });

    it("knows which rows it has, stage by stage", async () => {
      const store = await open();
      await store.append("preprocessed", 3, null);
      expect(await store.has("preprocessed", 3)).toBe(true);
      expect(await store.has("preprocessed", 0)).toBe(false);
      expect(await store.has("generated", 3)).toBe(false);
      expect(await collect(store.rows("postprocessed"))).toEqual([]);
    });

    it("keeps the first of two rows at one place, also of two that come at once", async () => {
      const store = await open();
      await store.append("scored:equality", 0, { score: 1 });
      await store.append("scored:equality", 0, { score: 0 });
      await Promise.all([1, 0].map((score) => store.append("scored:equality", 1, { score })));
      const rows = await collect(store.rows("scored:equality"));
      expect(rows).toEqual([
        { index: 0, row: { score: 1 } },
        { index: 1, row: { score: 1 } },
      ]);
    });

    it("keeps stages apart whose names differ in signs that files do not take", async () => {
      const store = await open();
      await store.append("scored:basic::equality", 0, "one");
      await store.append("scored:basic::subset_of", 0, "other");
      expect(await collect(store.rows("scored:basic::equality"))).toEqual([{ index: 0, row: "one" }]);
      expect(await collect(store.rows("scored:basic::subset_of"))).toEqual([{ index: 0, row: "other" }]);
    });

    it("keeps any JSON, line ends and other characters of texts among it", async () => {
      const store = await open();
      const row = { text: 'a\nb\r\n\u2028"\\ 東京 🙂', list: [1, null, true], empty: {} };
      await store.append("postprocessed", 0, row);
      expect(await collect(store.rows("postprocessed"))).toEqual([{ index: 0, row }]);
    });

    it("takes many rows at once", async () => {
      const store = await open();
      const indices = Array.from({ length: 300 }, (_, place) => (place * 7) % 300);
      await Promise.all(indices.map((index) => store.append("generated", index, { index })));
      const rows = await collect(store.rows("generated"));
      expect(rows.map(({ index }) => index)).toEqual(Array.from({ length: 300 }, (_, index) => index));
      expect(rows.every(({ index, row }) => (row as { index: number }).index === index)).toBe(true);
    });

    if (reopen !== undefined) {
      it("has everything again in another process, and goes on from there", async () => {
        const store = await open();
        for (const index of [1, 0]) await store.append("generated", index, { index });
        const again = await reopen(store);
        expect(await again.has("generated", 1)).toBe(true);
        await again.append("generated", 1, "another");
        await again.append("generated", 2, { index: 2 });
        expect((await collect(again.rows("generated"))).map(({ row }) => row)).toEqual([
          { index: 0 },
          { index: 1 },
          { index: 2 },
        ]);
      });
    }
  });
}

async function collect(rows: AsyncIterable<StageRow>): Promise<StageRow[]> {
  const found: StageRow[] = [];
  for await (const row of rows) found.push(row);
  return found;
}
