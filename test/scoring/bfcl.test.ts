import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codeCalls } from "../../src/scoring/bfcl/codeCalls.js";
import { javascriptValue, javaValue } from "../../src/scoring/bfcl/codeValues.js";
import { pythonCalls } from "../../src/scoring/bfcl/pythonCalls.js";
import type { Value } from "../../src/scoring/bfcl/value.js";
import { scorers } from "../../src/scoring/index.js";
import { scored } from "./scored.js";
import { scorerSuite } from "./suites/scorerSuite.js";

const AREA = {
  name: "geometry.area",
  parameters: {
    type: "dict",
    properties: {
      base: { type: "integer" },
      height: { type: "float" },
      unit: { type: "string" },
      points: { type: "array", items: { type: "integer" } },
      style: { type: "dict" },
      tags: { type: "array", items: { type: "dict" } },
      pair: { type: "tuple", items: { type: "string" } },
    },
    required: ["base"],
  },
};
const TRUTH = {
  "geometry.area": {
    base: [10],
    height: [5.5, 5, ""],
    unit: ["square units", ""],
    points: [[1, 2], [3], ""],
    style: [{ colour: ["Red", "blue"], width: [1, ""] }, ""],
    tags: [[{ a: [1] }, { b: ["x"] }], ""],
    pair: [["New York", "b"], ""],
  },
};
const row = (generated_answer: string, more: object = {}) => ({
  id: "simple_1",
  language: "Python",
  function: JSON.stringify([AREA]),
  ground_truth: JSON.stringify([TRUTH]),
  generated_answer,
  ...more,
});

scorerSuite("basic::bfcl", () => ({
  scorer: scorers.lookup("basic::bfcl"),
  good: [row("geometry.area(base=10)"), row("geometry.area(base=11)"), row("sorry")],
  bad: [
    row("f()", { language: "Ruby" }),
    row("f()", { function: "[{}]" }),
    row("f()", { ground_truth: "[]" }),
  ],
}));

const plain = (value: Value): unknown => {
  switch (value.kind) {
    case "none":
      return null;
    case "list":
    case "tuple":
      return value.items.map(plain);
    case "dict":
      return Object.fromEntries([...value.entries].map(([key, held]) => [key, plain(held)]));
    default:
      return value.value;
  }
};
const callsOf = (source: string) =>
  pythonCalls(source).map(({ name, given }) => [
    name,
    Object.fromEntries([...given].map(([key, value]) => [key, plain(value)])),
  ]);

describe("calls in Python", () => {
  it.each<[source: string, calls: unknown]>([
    ["[f(a=1, b='x')]", [["f", { a: 1, b: "x" }]]],
    [
      "[a.b.c(x=[1, 2.5, True, None], y={'k': (1, 'z')}), g()]",
      [
        ["a.b.c", { x: [1, 2.5, true, null], y: { k: [1, "z"] } }],
        ["g", {}],
      ],
    ],
    ["f({'a': 1, 'b': -2})", [["f", { a: 1, b: -2 }]]],
    ["f(1, a=2)", [["f", { a: 2 }]]],
    [
      "f(a=2 + 3 * 4 - 2 ** 3, b=7 // 2, c='x' + 'y', d=-1.5e3, e=0x1f, g=1_000)",
      [["f", { a: 6, b: 3, c: "xy", d: -1500, e: 31, g: 1000 }]],
    ],
    [
      "f(a=name, b=g( 1,'x' ), c=g(x=1), d=rows[0], e=...)",
      [["f", { a: "name", b: "g(1, 'x')", c: { g: { x: 1 } }, d: "rows[0]", e: "..." }]],
    ],
    [
      `f(a="it's", b='a' "b", c='''d''', d='\\u00e9\\n', e=r'\\n')`,
      [["f", { a: "it's", b: "ab", c: "d", d: "é\n", e: "\\n" }]],
    ],
  ])("%s", (source, calls) => {
    expect(callsOf(source)).toEqual(calls);
  });

  it.each([
    "",
    "[]",
    "hello",
    "I cannot call f(x=1).",
    "f(a=1",
    "f(a=b.c)",
    "f(a=x + 1)",
    "[f(), 1]",
    "f(a=lambda: 1)",
    "if f()",
    "f(a='x)",
    "012",
    `${"(".repeat(500)}f()`,
  ])("none in %s", (source) => {
    expect(() => pythonCalls(source)).toThrow();
  });

  it("are never anything but calls or an error, whatever stands there", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom("f", "(", ")", "[", "]", "=", ",", "1", "'", "a", ".", "-", "{", "}", ":", " "),
        ),
        (pieces) => {
          try {
            expect(Array.isArray(pythonCalls(pieces.join("")))).toBe(true);
          } catch (error) {
            expect(error).toBeInstanceOf(Error);
            expect(error).not.toBeInstanceOf(TypeError);
          }
        },
      ),
    );
  });
});

describe("one call", () => {
  it.each<[given: string, score: number]>([
    ["base=10", 1],
    ["base=10.0", 0],
    ["base='10'", 0],
    ["height=5", 0],
    ["base=10, height=5", 1],
    ["base=10, height=5.5", 1],
    ["base=10, height='5'", 0],
    ["base=10, unit='Square-Units.'", 1],
    ["base=10, unit='cm'", 0],
    ["base=10, colour='red'", 0],
    ["base=10, points=[1, 2]", 1],
    ["base=10, points=[2, 1]", 0],
    ["base=10, points=['1', '2']", 0],
    ["base=10, style={'colour': 'RED'}", 1],
    ["base=10, style={'colour': 'red', 'width': 1}", 1],
    ["base=10, style={'colour': 'red', 'size': 1}", 0],
    ["base=10, style={'width': 1}", 0],
    ["base=10, tags=[{'a': 1}, {'b': 'X'}]", 1],
    ["base=10, tags=[{'b': 'x'}, {'a': 1}]", 0],
    ["base=10, pair=('new york', 'B')", 1],
    ["base=10, pair=['new york', 'B']", 1],
  ])("with %s is worth %d", async (given, score) => {
    expect((await scored("basic::bfcl", [row(`[geometry.area(${given})]`)])).scores).toEqual([score]);
  });

  it("must be of the function, and the only one", async () => {
    const answers = [
      "area(base=10)",
      "geometry.area(base=10), geometry.area(base=10)",
      "geometry\n.area(base=10)",
    ];
    expect(
      (
        await scored(
          "basic::bfcl",
          answers.map((text) => row(text)),
        )
      ).scores,
    ).toEqual([0, 0, 1]);
  });

  it("a variable counts where a text may stand for the value", async () => {
    const ground_truth = JSON.stringify([{ "geometry.area": { base: ["user_base"], height: ["", 5.0] } }]);
    const answers = [
      "geometry.area(base=user_base)",
      "geometry.area(base=other)",
      "geometry.area(base=user_base, height=5)",
    ];
    expect(
      (
        await scored(
          "basic::bfcl",
          answers.map((text) => row(text, { ground_truth })),
        )
      ).scores,
    ).toEqual([1, 0, 1]);
  });
});

describe("categories", () => {
  const other = { name: "f", parameters: { properties: { x: { type: "float" } }, required: [] } };
  const functions = [AREA, other];

  it("parallel takes calls in any order, each once", async () => {
    const more = {
      id: "parallel_multiple_3",
      function: functions,
      ground_truth: [{ f: { x: [1] } }, { f: { x: [2, ""] } }, { "geometry.area": { base: [10] } }],
    };
    const answers = [
      "[geometry.area(base=10), f(x=2.0), f(x=1)]",
      "[geometry.area(base=10), f(x=1), f(x=1)]",
      "[geometry.area(base=10), f(x=1)]",
    ];
    expect(
      (
        await scored(
          "basic::bfcl",
          answers.map((text) => row(text, more)),
        )
      ).scores,
    ).toEqual([1, 0, 0]);
  });

  it("multiple takes one call of one of several functions", async () => {
    const more = { id: "live_multiple_3-1-0", function: functions, ground_truth: [{ f: { x: [1] } }] };
    const answers = ["f(x=1)", "geometry.area(base=10)"];
    expect(
      (
        await scored(
          "basic::bfcl",
          answers.map((text) => row(text, more)),
        )
      ).scores,
    ).toEqual([1, 0]);
  });

  it.each([
    ["irrelevance_2", [1, 1, 1, 0]],
    ["live_irrelevance_2-0-1", [1, 1, 1, 0]],
    ["live_relevance_1-0-0", [0, 0, 0, 1]],
  ])("%s asks only whether there is a call", async (id, scores) => {
    const answers = ["No function fits.", "[]", "", "f(x=1)"];
    expect(
      (
        await scored(
          "basic::bfcl",
          answers.map((text) => row(text, { id, ground_truth: [] })),
        )
      ).scores,
    ).toEqual(scores);
  });
});

describe("Java and JavaScript", () => {
  it.each<[code: string, type: string, nested: string | undefined, value: unknown]>([
    ["123", "integer", undefined, 123],
    ["1.5", "integer", undefined, "1.5"],
    ["3.14f", "float", undefined, 3.14],
    ["3.14", "float", undefined, "3.14"],
    ["3.14e2", "double", undefined, 314],
    ["123L", "long", undefined, 123],
    ["true", "boolean", undefined, true],
    ["new int[] { 1, 2 }", "Array", undefined, [1, 2]],
    ['new String[]{"a, b", "c"}', "Array", "String", ["a, b", "c"]],
    ["new long[]{1L, 2}", "Array", "long", [1, "2"]],
    ['new ArrayList<>(Arrays.asList(1, "abc", true))', "ArrayList", undefined, [1, "abc", true]],
    ["new ArrayList<Double>() {{ add(1.0); add(2.5); }}", "ArrayList", "double", [1, 2.5]],
    ["new ArrayList<>()", "ArrayList", undefined, []],
    [
      'new HashMap<String, Object>() {{ put("a", 1); put("b", "x (y)"); }}',
      "HashMap",
      undefined,
      { a: 1, b: "x (y)" },
    ],
    ["new HashMap<>()", "HashMap", undefined, {}],
    ["variable", "HashMap", undefined, "variable"],
  ])("%s as Java's %s of %s", (code, type, nested, value) => {
    expect(plain(javaValue(code, type, nested))).toEqual(value);
  });

  it.each<[code: string, type: string, nested: string | undefined, value: unknown]>([
    ["'a'", "String", undefined, "a"],
    ["-3.14", "float", undefined, -3.14],
    ["12n", "Bigint", undefined, 12],
    ["[1, 'two', true]", "array", undefined, [1, "two", true]],
    ["new Array(4n, 5n)", "array", "Bigint", [4, 5]],
    ["[ [1, 2], [3]]", "array", "array", [[1, 2], [3]]],
    ['[{"a": 1}]', "array", "dict", [{ a: 1 }]],
    ["{'a': 12, b: ['x'], c: name}", "dict", undefined, { a: 12, b: ["x"], c: "name" }],
  ])("%s as JavaScript's %s of %s", (code, type, nested, value) => {
    expect(plain(javascriptValue(code, type, nested))).toEqual(value);
  });

  it("calls have named arguments", () => {
    const [call] = codeCalls('Shape.draw(size=3, name="a, b", list=new int[]{1, 2}, 5)');
    expect([call!.name, [...call!.given.keys()]]).toEqual(["Shape.draw", ["size", "name", "list"]]);
    for (const source of [
      "Sorry, I cannot",
      "Sorry (not possible)",
      "f(a=1, a=2)",
      "f(a=[1)",
      "f(a='x)",
      "",
    ]) {
      expect(() => codeCalls(source)).toThrow();
    }
  });

  it("rows are judged by their types", async () => {
    const java = {
      id: "java_1",
      language: "Java",
      function: {
        name: "f",
        parameters: { properties: { n: { type: "long" }, s: { type: "String" } }, required: ["n"] },
      },
      ground_truth: [{ f: { n: [5], s: ["", "Some text"] } }],
    };
    const javascript = {
      id: "javascript_1",
      language: "JavaScript",
      function: {
        name: "f",
        parameters: { properties: { a: { type: "array", items: { type: "integer" } } }, required: [] },
      },
      ground_truth: [{ f: { a: [[1, 2]] } }],
    };
    const rows = [
      row('f(n=5L, s="some-text")', java),
      row("f(n=5)", java),
      row("f(other)", java),
      row("f(a=[1, 2])", javascript),
      row("f(a=[1, '2'])", javascript),
    ];
    expect((await scored("basic::bfcl", rows)).scores).toEqual([1, 0, 0, 1, 0]);
  });
});
