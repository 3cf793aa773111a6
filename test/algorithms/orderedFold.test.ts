import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Aggregation,
  algorithms,
  createOrderedFold,
  type OrderedFoldOptions,
} from "../../src/algorithms/index.js";
import { floats, updateOf } from "./updates.js";

const fedavg = await algorithms.lookup("fedavg")({});

function setUp(members: number[], order: OrderedFoldOptions["order"] = "client") {
  const folded: number[] = [];
  const inner = fedavg.server.begin(floats(0), 1);
  const aggregation: Aggregation = {
    async fold(update) {
      await inner.fold(update);
      folded.push(update.clientId);
    },
    finish: () => inner.finish(),
  };
  return { fold: createOrderedFold({ aggregation, members, order }), folded };
}

const settled = () => new Promise((settle) => setTimeout(settle, 5));

describe("folding in the order of logical clients", () => {
  it("folds a member as soon as all before it have reported, and not before", async () => {
    const { fold, folded } = setUp([5, 2, 9]);
    const updates = [9, 2, 5].map((clientId) => updateOf(clientId, 1, floats(clientId)));
    fold.accept(updates[0]!);
    await settled();
    expect(folded).toEqual([]);
    expect(updates[0]!.weights.discarded).toBe(false);
    fold.accept(updates[1]!);
    await settled();
    expect(folded).toEqual([2]);
    expect(fold.awaited).toEqual([5]);
    fold.accept(updates[2]!);
    const { weights, clients } = await fold.finish();
    expect(clients).toEqual([2, 5, 9]);
    expect(weights.get("w")!.data[0]).toBeCloseTo(16 / 3, 6);
    expect(updates.every((update) => update.weights.discarded)).toBe(true);
  });

  it("passes over members that were given up", async () => {
    const { fold, folded } = setUp([1, 2, 3]);
    fold.accept(updateOf(3, 1, floats(3)));
    fold.giveUp(1);
    await settled();
    expect(folded).toEqual([]);
    fold.giveUp(2);
    await settled();
    expect(folded).toEqual([3]);
    expect(fold.accepted).toBe(1);
    expect(fold.awaited).toEqual([]);
  });

  it("gives up whoever has not reported when the round closes", async () => {
    const { fold } = setUp([1, 2, 3]);
    fold.accept(updateOf(2, 1, floats(7)));
    const { weights, clients } = await fold.finish();
    expect(clients).toEqual([2]);
    expect(weights.get("w")!.data).toEqual(Float32Array.of(7));
  });

  it("gives the same bits whatever the order of arrival, where folding at once does not", async () => {
    const members = [1, 2, 3, 4, 5, 6];
    const weightsOf = (clientId: number) => floats(1 / clientId, 1e7 / clientId ** 3);
    const run = async (order: OrderedFoldOptions["order"], arrival: number[]) => {
      const aggregation = fedavg.server.begin(floats(0, 0), 1);
      const fold = createOrderedFold({ aggregation, members, order });
      for (const clientId of arrival) fold.accept(updateOf(clientId, clientId * 3, weightsOf(clientId)));
      return Buffer.from((await fold.finish()).weights.get("w")!.data.buffer as ArrayBuffer).toString("hex");
    };
    const straight = await run("client", members);
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(members, { minLength: 6 }), async (arrival) => {
        expect(await run("client", arrival)).toBe(straight);
        seen.add(await run("arrival", arrival));
      }),
    );
    expect(seen.size).toBeGreaterThan(1);
  });

  it("folds at once in the order of arrival when asked to", async () => {
    const { fold, folded } = setUp([1, 2, 3], "arrival");
    fold.accept(updateOf(3, 1, floats(3)));
    await settled();
    expect(folded).toEqual([3]);
    fold.accept(updateOf(1, 1, floats(1)));
    fold.giveUp(2);
    expect((await fold.finish()).clients).toEqual([3, 1]);
  });

  it("lets another client take a member's place and turn", async () => {
    const { fold } = setUp([1, 2]);
    fold.replace(1, 8);
    fold.accept(updateOf(2, 1, floats(2)));
    fold.accept(updateOf(8, 1, floats(8)));
    expect((await fold.finish()).clients).toEqual([8, 2]);
    const again = setUp([1, 2]).fold;
    expect(() => again.replace(7, 8)).toThrow(/no member/);
    expect(() => again.replace(1, 2)).toThrow(/already a member/);
  });

  it("refuses whoever is no member, has reported or was given up, and leaves it its source", () => {
    const { fold } = setUp([1, 2]);
    fold.accept(updateOf(1, 1, floats(1)));
    fold.giveUp(2);
    fold.giveUp(1);
    fold.giveUp(77);
    for (const [clientId, why] of [
      [1, /reported/],
      [2, /given up/],
      [3, /no member/],
    ] as const) {
      const update = updateOf(clientId, 1, floats(1));
      expect(() => fold.accept(update)).toThrow(why);
      expect(() => fold.accept(update)).toThrow(expect.objectContaining({ code: "PROTOCOL_VIOLATION" }));
      expect(update.weights.discarded).toBe(false);
    }
  });

  it("ends with what a fold threw first, and discards all sources", async () => {
    const { fold } = setUp([1, 2, 3]);
    const updates = [updateOf(1, 1, floats(1, 2)), updateOf(2, 1, floats(1)), updateOf(3, -1, floats(1))];
    for (const update of updates) fold.accept(update);
    await expect(fold.finish()).rejects.toMatchObject({ code: "WEIGHTS_INVALID" });
    expect(updates.every((update) => update.weights.discarded)).toBe(true);
  });

  it("discards everything when the round is abandoned", async () => {
    const { fold, folded } = setUp([1, 2, 3]);
    const updates = [updateOf(2, 1, floats(1)), updateOf(3, 1, floats(1))];
    for (const update of updates) fold.accept(update);
    await fold.abandon();
    expect(folded).toEqual([]);
    expect(updates.every((update) => update.weights.discarded)).toBe(true);
    expect(() => fold.accept(updateOf(1, 1, floats(1)))).toThrow(/given up/);
  });
});
