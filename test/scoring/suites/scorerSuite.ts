import { describe, expect, it } from "vitest";
import type { RowScore, Scorer, ScorerRow } from "../../../src/scoring/index.js";

/** A scorer and rows to try it with. */
export interface ScorerCase {
  scorer: Scorer;
  params?: unknown;
  /** At least three, with different scores. */
  good: ScorerRow[];
  bad: ScorerRow[];
}

/** What holds for every scorer. */
export function scorerSuite(name: string, make: () => ScorerCase): void {
  describe(name, () => {
    it("keeps the order and numbers rows from 0, keys beside them", async () => {
      const { scorer, params, good } = make();
      const rows = await gathered(
        scorer.score(
          good.map((row, index) => ({ ...row, key: `k${index}` })),
          params,
        ).rows,
      );
      expect(rows.map(({ index, key }) => [index, key])).toEqual(
        good.map((_, index) => [index, `k${index}`]),
      );
      expect(new Set(rows.map(({ score }) => score)).size).toBeGreaterThan(1);
      expect(rows.some((row) => "error" in row)).toBe(false);
    });

    it("judges each row as if it were alone, and the metrics are of the good ones", async () => {
      const { scorer, params, good, bad } = make();
      const mixed = good.flatMap((row, index) => (index < bad.length ? [bad[index]!, row] : [row]));
      const alone = scorer.score(good, params);
      const expected = (await gathered(alone.rows)).map(({ index: _, ...row }) => row);
      const scoring = scorer.score(mixed, params);
      const rows = await gathered(scoring.rows);
      const judged = rows.filter(({ error }) => error === undefined).map(({ index: _, ...row }) => row);
      expect(judged).toEqual(expected);
      expect(scoring.metrics()).toEqual(alone.metrics());
      expect(scoring.details()).toEqual(alone.details());
    });

    it("says why a row cannot be judged", async () => {
      const { scorer, params, bad } = make();
      const scoring = scorer.score(bad, params);
      for (const row of await gathered(scoring.rows)) {
        expect(row).toMatchObject({ score: null, error: expect.stringMatching(/expected/) });
      }
      expect(scoring.metrics()).toBeNull();
    });

    it("has no metrics for no rows", async () => {
      const { scorer, params } = make();
      const scoring = scorer.score([], params);
      expect(await gathered(scoring.rows)).toEqual([]);
      expect([scoring.metrics(), scoring.details()]).toEqual([null, null]);
    });

    it("reads no further than its results are taken", async () => {
      const { scorer, params, good } = make();
      let read = 0;
      async function* endless() {
        for (;;) {
          read++;
          yield good[0]!;
        }
      }
      let taken = 0;
      for await (const _ of scorer.score(endless(), params).rows) if (++taken === 300) break;
      expect(read).toBeLessThan(600);
    });

    it("ends with the signal's reason", async () => {
      const { scorer, params, good } = make();
      const stop = new AbortController();
      const rows: RowScore[] = [];
      const reading = (async () => {
        for await (const row of scorer.score(good, params, stop.signal).rows) {
          rows.push(row);
          stop.abort(new Error("enough"));
        }
      })();
      await expect(reading).rejects.toThrow("enough");
      expect(rows.length).toBe(1);
    });

    it("fails with the source", async () => {
      const { scorer, params, good } = make();
      async function* torn() {
        yield good[0]!;
        throw new Error("torn");
      }
      await expect(gathered(scorer.score(torn(), params).rows)).rejects.toThrow("torn");
    });

    it("refuses params it does not have, at once", () => {
      const { scorer } = make();
      expect(() => scorer.score([], { nonsense: 1 })).toThrow(
        expect.objectContaining({ code: "CONFIG_INVALID" }),
      );
    });

    it("gives results that survive JSON", async () => {
      const { scorer, params, good, bad } = make();
      const rows = await gathered(scorer.score([...good, ...bad], params).rows);
      expect(JSON.parse(JSON.stringify(rows))).toEqual(rows);
    });
  });
}

/** All of them. */
export async function gathered<T>(values: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const value of values) found.push(value);
  return found;
}
