import { describe, expect, test } from "vitest";
import { ArrayDataset } from "../../src/data/index.js";
import { ownRows } from "../../src/trainers/ownRows.js";

class Speeches extends ArrayDataset {
  readonly speakers = ["Lincoln", "Grant"];
  #secret = 3;

  secret(): number {
    return this.#secret;
  }
}

const speeches = () =>
  new Speeches({
    inputs: Float32Array.of(1, 2),
    inputShape: [1],
    labels: Int32Array.of(0, 1),
    classes: 2,
  });

describe("rows of one's own", () => {
  test("are those of the data set, with fields and methods of its class", () => {
    const own = ownRows(speeches());
    expect(own).toBeInstanceOf(Speeches);
    expect([own.length, own.classes, own.inputShape, own.speakers]).toEqual([
      2,
      2,
      [1],
      ["Lincoln", "Grant"],
    ]);
    expect(own.labels).toEqual(Int32Array.of(0, 1));
    expect(own.labels).toBe(own.labels);
    expect(own.secret()).toBe(3);
    expect("speakers" in own).toBe(true);
    expect(Object.keys(own)).toContain("speakers");
  });

  test("stay one's own, whatever is done to them", () => {
    const original = speeches();
    const own = ownRows(original) as { -readonly [Key in keyof Speeches]: Speeches[Key] };
    own.labels.fill(1);
    own.speakers.push("Hayes");
    (own.inputShape as number[])[0] = 9;
    own.batch([0]).inputs.fill(9);
    own.classes = 7;
    delete (own as { length?: number }).length;
    Object.defineProperty(own, "batch", { value: () => null });

    expect([own.classes, own.batch([0]), own.length]).toEqual([7, null, undefined]);
    expect(original).toEqual(speeches());
    expect(original.batch([0, 1]).inputs).toEqual(Float32Array.of(1, 2));
    expect(original.length).toBe(2);
  });

  test("can be had of a frozen data set", () => {
    const own = ownRows(Object.freeze(speeches()));
    own.labels.fill(1);
    expect(own.labels).toEqual(Int32Array.of(1, 1));
  });
});
