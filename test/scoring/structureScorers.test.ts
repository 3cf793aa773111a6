import { expect, it } from "vitest";
import { scorers } from "../../src/scoring/index.js";
import { jsonLikeness } from "../../src/scoring/structure/jsonDifference.js";
import { scored } from "./scored.js";
import { scorerSuite } from "./suites/scorerSuite.js";

const answer = (generated_answer: unknown, expected_answer?: unknown) => ({
  generated_answer,
  ...(expected_answer !== undefined && { expected_answer }),
});

scorerSuite("json_validity", () => ({
  scorer: scorers.lookup("json_validity"),
  good: [answer('{"a": 1}'), answer("1"), answer("[]")],
  bad: [answer(null), { generated_answer: "{}", schema: "{" }],
}));
scorerSuite("json_diff", () => ({
  scorer: scorers.lookup("json_diff"),
  good: [answer({ a: 1 }, { a: 1 }), answer('{"a": 1}', '{"a": 2}'), answer([1], [])],
  bad: [answer(undefined, 1), { generated_answer: 1 }],
}));

it("JSON is valid as an object or a list; scalars and fences only where params say so", async () => {
  const rows = ['{"a": [1]}', "[1", "1", '```json\n{"a": 1}\n```'].map((text) => answer(text));
  expect((await scored("json_validity", rows)).scores).toEqual([1, 0, 0, 0]);
  expect((await scored("json_validity", rows, { scalars: true, fences: true })).scores).toEqual([1, 0, 1, 1]);
});

it("a JSON Schema may stand in the params, or in the row, whose own holds", async () => {
  const schema = { type: "object", properties: { a: { type: "number" } }, required: ["a"] };
  const rows = [answer('{"a": 1}'), answer('{"a": "1"}'), { ...answer("[]"), schema: '{"type": "array"}' }];
  const { results } = await scored("json_validity", rows, { schema });
  expect(results).toMatchObject([
    { score: 1 },
    { score: 0, feedback: expect.stringMatching(/^a: /) },
    { score: 1 },
  ]);
});

it.each<[unknown, unknown, number]>([
  [{ a: 1, b: "x" }, { a: 2, b: "x" }, 5 / 6],
  [{}, { a: null }, 1],
  [{}, { a: 1 }, 0],
  [{ a: 1, b: 2 }, { b: 2, a: 1 }, 1],
  [[1, 2], [1], 0.5],
  ['{"a": 1}', { a: 1 }, 1],
  [null, 0, 0],
  [-5, 5, 0],
  // The JSON texts {"a":2,"b":1} and "\\"" have three quotation marks in common.
  [{ b: 1, a: 2 }, '"', 3 / 13],
])("%j and %j are alike by %d", (one, other, expected) => {
  expect(jsonLikeness(one, other, false)).toBeCloseTo(expected, 12);
  expect(jsonLikeness(other, one, false)).toBeCloseTo(expected, 12);
});

it("texts that hold JSON may stay texts", () => {
  expect(jsonLikeness('{"a":1}', '{"a":2}', true)).toBeCloseTo(6 / 7, 12);
  expect(jsonLikeness('{"a":1}', '{"a":2}', false)).toBeCloseTo(2 / 3, 12);
});
