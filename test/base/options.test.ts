import { describe, expect, test } from "vitest";
import { z } from "zod";
import { optionFaults, parseOptions } from "../../src/base/index.js";

const schema = z.strictObject({
  rate: z.number().positive().default(0.1),
  sizes: z.array(z.int()).default([]),
});

describe("a table of options", () => {
  test("comes back with its defaults", () => {
    expect(parseOptions(schema, { sizes: [3] }, "[here]")).toEqual({ rate: 0.1, sizes: [3] });
  });

  test("is refused with every fault: where, what was found, what is known", () => {
    const table = { rate: -1, sizes: [1, "x"], size: 2, zzzz: 3 };
    expect(() => parseOptions(schema, table, "[here]")).toThrow(
      expect.objectContaining({
        code: "CONFIG_INVALID",
        message: expect.stringMatching(
          /^\[here\]: rate = -1: .*; sizes\.1 = "x": .*; unknown key "size"\. Did you mean "sizes"\? Known: rate, sizes; unknown key "zzzz"\. Known: rate, sizes\.$/,
        ),
      }),
    );
  });

  test.each([[null], ["text"], [undefined]])("is refused when it is %j", (table) => {
    expect(() => parseOptions(schema, table, "[here]")).toThrow(/^\[here\]: /);
  });

  test("is told what is missing, and what was expected instead of a number that is none", () => {
    const needed = z.object({ rate: z.number(), size: z.int().min(1) });
    expect(() => parseOptions(needed, { size: 0 }, "[here]")).toThrow(
      "[here]: rate is missing: expected number; size = 0: expected number to be >=1.",
    );
    expect(() => parseOptions(needed, { rate: Number.NaN, size: 1 }, "[here]")).toThrow(
      "[here]: rate = NaN: expected number.",
    );
  });

  test("may have a schema that is no object", () => {
    expect(() => parseOptions(z.record(z.string(), z.number()), { a: "b" }, "[here]")).toThrow(/a = "b"/);
    expect(() => parseOptions(z.array(z.strictObject({})), [{ a: 1 }], "[here]")).toThrow(/Known: none/);
  });

  test("is told of in the words of the configuration where the schema is given", () => {
    const schema = z.object({
      size: z.int().min(1),
      mode: z.union([z.int().positive(), z.literal("auto")]),
      lists: z.array(z.object({ name: z.enum(["a", "b"]) })),
      rows: z.record(z.string(), z.int().positive()),
      own: z.string().regex(/^x/, { error: "a name that begins with x" }),
    });
    const table = { size: 0, mode: "fast", lists: [{ name: "c" }], rows: { one: -1 }, own: "y" };
    expect(optionFaults(schema.safeParse(table).error!, table, { schema })).toEqual([
      "size = 0: expected an integer of at least 1",
      'mode = "fast": expected a positive integer or "auto"',
      'lists.0.name = "c": expected one of "a", "b"',
      "rows.one = -1: expected a positive integer",
      'own = "y": expected a name that begins with x',
    ]);
  });
});
