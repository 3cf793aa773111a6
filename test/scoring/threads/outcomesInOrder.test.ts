import { describe, expect, it } from "vitest";
import type { PlacedInput, RowOutcome, RowsInThreads } from "../../../src/base/index.js";
import type { ScorerRow } from "../../../src/scoring/index.js";
import { outcomesInOrder } from "../../../src/scoring/threads/outcomesInOrder.js";

/** Threads that give each row back a little later. */
function echoing(pieces: number[] = []): RowsInThreads {
  return {
    do(rows: readonly PlacedInput[]) {
      pieces.push(rows.length);
      return rows.map(
        ({ row }) =>
          new Promise<RowOutcome>((settle) => {
            setTimeout(() => settle({ value: row }), 1);
          }),
      );
    },
    end() {},
  };
}

const row = (place: number): ScorerRow => ({ place });
const given = { known: () => undefined, signal: undefined };

describe("outcomes in their order", () => {
  it("come before the source throws, all of them", async () => {
    const source = function* () {
      for (let place = 0; place < 20; place++) yield row(place);
      throw new Error("the file is cut off");
    };
    const found: number[] = [];
    const reading = (async () => {
      for await (const { index } of outcomesInOrder(source(), echoing(), given)) found.push(index);
    })();
    await expect(reading).rejects.toThrow("the file is cut off");
    expect(found).toEqual(Array.from({ length: 20 }, (_, place) => place));
  });

  it("are not held up by a source that lets wait", async () => {
    // The source goes on only once all rows so far have come out.
    const goOn: (() => void)[] = [];
    const source = async function* () {
      let place = 0;
      for (const count of [1, 3, 2]) {
        for (let left = count; left > 0; left--) yield row(place++);
        await new Promise<void>((settle) => goOn.push(settle));
      }
    };
    const found: unknown[] = [];
    for await (const { index, outcome } of outcomesInOrder(source(), echoing(), given)) {
      found.push([index, outcome]);
      if ([1, 4, 6].includes(found.length)) goOn.shift()!();
    }
    expect(found).toEqual(Array.from({ length: 6 }, (_, place) => [place, { value: row(place) }]));
  });

  it("take few pieces where the source is quick", async () => {
    const source = async function* () {
      for (let place = 0; place < 255; place++) yield row(place);
    };
    const pieces: number[] = [];
    const found: number[] = [];
    for await (const { index } of outcomesInOrder(source(), echoing(pieces), given)) found.push(index);
    expect(found).toEqual(Array.from({ length: 255 }, (_, place) => place));
    expect(pieces).toEqual([1, 2, 4, 8, 16, 32, 64, 128]);
  });

  it("are read no further, and the source with them", async () => {
    let closed = false;
    const source = async function* () {
      try {
        for (let place = 0; ; place++) yield row(place);
      } finally {
        closed = true;
      }
    };
    for await (const { index } of outcomesInOrder(source(), echoing(), given)) if (index === 3) break;
    expect(closed).toBe(true);
  });

  it("end with the signal's reason though the source lets wait", async () => {
    const stop = new AbortController();
    const source = async function* () {
      yield row(0);
      yield row(1);
      await new Promise(() => {});
    };
    const hanging: RowsInThreads = {
      do: (rows, signal) =>
        rows.map(
          () => new Promise((_, fail) => signal!.addEventListener("abort", () => fail(signal!.reason))),
        ),
      end() {},
    };
    const reading = outcomesInOrder(source(), hanging, { ...given, signal: stop.signal }).next();
    setTimeout(() => stop.abort(new Error("gone away")), 5);
    await expect(reading).rejects.toThrow("gone away");
  });
});
