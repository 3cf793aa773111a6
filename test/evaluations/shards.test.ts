import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { evaluationSettings, measureShard, mergeShards, tally } from "../../src/evaluations/index.js";
import { batchesOf } from "../../src/evaluations/shards.js";
import { halves, Questions, scripted, Texts } from "./scripted.js";

describe("dealing rows to shards", () => {
  test("gives every row to one shard, in batches that are the same for any number", () => {
    const world = fc.record({ rows: fc.integer({ min: 1, max: 60 }), size: fc.integer({ min: 1, max: 7 }) });
    fc.assert(
      fc.property(world, fc.integer({ min: 1, max: 5 }), ({ rows, size }, of) => {
        const all = Array.from({ length: rows }, (_, row) => row);
        const alone = batchesOf(all, size, { index: 0, of: 1 });
        const dealt = Array.from({ length: of }, (_, index) => batchesOf(all, size, { index, of })).flat();
        expect(dealt.sort((one, other) => one.place - other.place)).toEqual(alone);
        expect(alone.flatMap((batch) => batch.rows)).toEqual(all);
      }),
    );
  });

  test("notices a shard that is missing, or there twice", () => {
    const batch = (place: number) => ({ place, measures: [] });
    expect(() => mergeShards([[batch(0)], [batch(2)]])).toThrow(/do not fit together at batch 1/);
    expect(() => mergeShards([[batch(0)], [batch(0)]])).toThrow(/do not fit together at batch 1/);
  });
});

describe("1, 2 and 3 shards", () => {
  const settings = evaluationSettings({ batch_size: 2 });
  const request = { settings, limit: -1, seed: 3 };
  const measured = async (make: () => Texts | Questions, of: number) => {
    const inference = scripted({
      next: halves,
      answer: ({ prompt }) => (String(prompt).length % 3 === 0 ? "yes" : "no"),
    });
    const shards = await Promise.all(
      Array.from({ length: of }, (_, index) =>
        measureShard(make(), { ...request, inference, shard: { index, of } }),
      ),
    );
    return tally(make(), mergeShards(shards), settings);
  };

  test("give one perplexity, and one accuracy", async () => {
    const texts = Array.from({ length: 11 }, (_, row) => "abcd".slice(row % 4).repeat(1 + (row % 3)));
    const questions = texts.map((text, row) => [`${row}${text}`, "yes"] as const);
    for (const make of [() => new Texts(texts), () => new Questions(questions)]) {
      const alone = await measured(make, 1);
      expect(alone.measured).toBe(11);
      for (const of of [2, 3]) expect(await measured(make, of)).toEqual(alone);
    }
  });
});
