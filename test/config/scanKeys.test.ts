import toml from "@iarna/toml";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pathKey, scanKeys } from "../../src/config/reading/scanKeys.js";

/** Every path of parsed TOML: tables, keys, list items. */
function pathsOf(value: unknown, path: (string | number)[] = []): string[] {
  const own = path.length === 0 ? [] : [pathKey(path)];
  if (value instanceof Date || typeof value !== "object" || value === null) return own;
  const entries = Array.isArray(value) ? value.entries() : Object.entries(value);
  return [...own, ...[...entries].flatMap(([key, item]) => pathsOf(item, [...path, key]))];
}

function linesOf(text: string): Record<string, number> {
  return Object.fromEntries(
    [...scanKeys(text)].map(([key, line]) => [(JSON.parse(key) as unknown[]).join("."), line]),
  );
}

describe("lines of keys", () => {
  it("finds tables, dotted and quoted keys, whatever the spacing", () => {
    const text = ["# a comment", "a.b = 1", "", "[ server . 'x y' ]", '"p\\u0041" = 2 # port', "c = 3"].join(
      "\n",
    );
    expect(linesOf(text)).toEqual({
      a: 2,
      "a.b": 2,
      server: 4,
      "server.x y": 4,
      "server.x y.pA": 5,
      "server.x y.c": 6,
    });
  });

  it("counts the items of lists and of arrays of tables", () => {
    const text = ["[[e]]", "t = 1", "[[e]]", "[e.sub]", "k = [", "  1, # one", "  { z = 2 },", "]"].join(
      "\n",
    );
    expect(linesOf(text)).toEqual({
      e: 1,
      "e.0": 1,
      "e.0.t": 2,
      "e.1": 3,
      "e.1.sub": 4,
      "e.1.sub.k": 5,
      "e.1.sub.k.0": 6,
      "e.1.sub.k.1": 7,
      "e.1.sub.k.1.z": 7,
    });
  });

  it("is not misled by what looks like a key inside a string or a comment", () => {
    const text = [
      'a = """',
      "b = 1",
      'c = \\""" still',
      '""""',
      "d = '''",
      "[x]'''",
      'e = "# = ["',
      "# f = 1",
      "g = 1",
    ];
    expect(linesOf(text.join("\n"))).toEqual({ a: 1, d: 5, e: 7, g: 9 });
  });

  it("gives a table the line of its own header, even when a deeper one came first", () => {
    expect(linesOf("[a.b]\nc = 1\n[a]\nd = 1")).toEqual({ a: 3, "a.b": 1, "a.b.c": 2, "a.d": 4 });
  });

  it("ends quietly on any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
        scanKeys(text);
      }),
    );
    fc.assert(
      fc.property(fc.array(fc.constantFrom(..."[]{}=.\"'#\\\n \tab1,")), (marks) => {
        scanKeys(marks.join(""));
      }),
    );
  });

  it("knows exactly the key paths that @iarna/toml yields, for documents of every form", () => {
    fc.assert(
      fc.property(documents, (text) => {
        const parsed = toml.parse(text);
        expect([...scanKeys(text).keys()].sort()).toEqual(pathsOf(parsed).sort());
      }),
      { numRuns: 1000 },
    );
  });

  it("knows them for whatever other text @iarna/toml accepts", () => {
    const piece = fc.constantFrom(
      ..."ab.=\n\n",
      " ",
      "[",
      "]",
      "[[",
      "]]",
      "{",
      "}",
      ",",
      '"',
      "'",
      '"""',
      "'''",
      "#",
      "\\",
      "1",
      "a = 1\n",
      "[a]\n",
      "b = [1]\n",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const text = pieces.join("");
        let parsed: unknown;
        try {
          parsed = toml.parse(text);
        } catch {
          return;
        }
        expect([...scanKeys(text).keys()].sort()).toEqual(pathsOf(parsed).sort());
      }),
      { numRuns: 5000 },
    );
  });

  it("gives every key the line on which it was written", () => {
    fc.assert(
      fc.property(documents, (text) => {
        const lines = text.split("\n");
        for (const [key, line] of scanKeys(text)) {
          const name = (JSON.parse(key) as (string | number)[]).at(-1)!;
          if (typeof name === "string" && /^k\d+$/.test(name)) expect(lines[line - 1]).toContain(name);
        }
      }),
    );
  });
});

/** Values with what confuses a scanner. */
const scalars = fc.oneof(
  fc.integer({ min: -(2 ** 31), max: 2 ** 31 }).map(String),
  fc.constantFrom(
    "true",
    "-inf",
    "nan",
    "1_000",
    "0xff",
    "6.02e23",
    "1979-05-27 07:32:00 ",
    "07:32:00 ",
    "0.5",
  ),
  fc.constantFrom('"a # b = [c]"', "'it = {'", '"\\"quoted\\" \\\\"', "''", '""', '"\\u00e9 é 🎈"'),
);
const multiline = fc.constantFrom(
  '"""\nx = 1\n[y]\n"""',
  '"""a ""quoted"" b"""',
  '"""ends with two"""""',
  '"""\\\n   trimmed\\" """',
  "'''\n# no comment\nk = 'v'\n'''",
  "'''two''more'''''",
  '""""""',
);
const names = fc
  .integer({ min: 0, max: 9 })
  .chain((n) =>
    fc.constantFrom(
      `k${n}`,
      `"k${n}"`,
      `'k${n}'`,
      `"k ${n}.x"`,
      `'# ${n} ='`,
      `k-${n}`,
      `"\\u00e9${n}"`,
      `${n}`,
    ),
  );
const blank = fc.constantFrom("", " ", "\t", "  ");
const gap = fc.constantFrom("", " ", "\n", " # ] } , = \n  ", "\n\n");

const { value } = fc.letrec<{ value: string; list: string; table: string }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, scalars, multiline, tie("list"), tie("table")),
  list: fc
    .tuple(fc.array(fc.tuple(gap, tie("value"), gap), { maxLength: 3 }), fc.boolean())
    .map(([items, trailing]) => {
      const inner = items.map(([before, item, after]) => `${before}${item}${after}`).join(",");
      return `[${inner}${trailing && items.length > 0 ? ",\n" : ""}]`;
    }),
  table: fc
    .uniqueArray(fc.tuple(blank, names, blank, tie("value")), {
      maxLength: 3,
      selector: ([, name]) => bare(name),
    })
    .map(
      (entries) => `{ ${entries.map(([a, name, b, item]) => `${a}${name}${b}=${b}${item}${a}`).join(",")} }`,
    ),
}));

function bare(name: string): string {
  return name.replace(/^['"]|['"]$/g, "");
}

/** A table's body: keys, some dotted, none twice. */
const body = fc
  .uniqueArray(fc.tuple(names, fc.option(names), blank, value, fc.constantFrom("", " # note = 1")), {
    maxLength: 4,
    selector: ([name]) => bare(name),
  })
  .map((entries) =>
    entries
      .map(
        ([name, sub, b, item, comment]) =>
          `${b}${name}${sub === null ? "" : `${b}.${b}${sub}`}${b}= ${item}${comment}\n`,
      )
      .join(""),
  );

/** Whole documents: a root body, tables with headers of one to three names, arrays of tables with sub-tables. */
const documents = fc
  .tuple(
    body,
    fc.uniqueArray(
      fc.record({
        name: names.map((name) => (bare(name).match(/^[\w-]+$/) ? `t_${bare(name)}` : `"t ${bare(name)}"`)),
        kind: fc.constantFrom("table", "deep", "list", "list of lists"),
        bodies: fc.array(body, { minLength: 1, maxLength: 3 }),
        b: blank,
      }),
      { maxLength: 4, selector: ({ name }) => name },
    ),
  )
  .map(([root, tables]) => root + tables.map(section).join("\n"));

function section({
  name,
  kind,
  bodies,
  b,
}: {
  name: string;
  kind: string;
  bodies: string[];
  b: string;
}): string {
  if (kind === "table") return `[${b}${name}${b}]${b}\n${bodies[0]}`;
  if (kind === "deep") return `[${name}${b}.${b}sub.'x.y'] # deep\n${bodies[0]}`;
  return bodies
    .map((text) =>
      kind === "list"
        ? `[[${b}${name}${b}]]\n${text}[${name}.zz_sub]\nq = 1\n`
        : `[[${name}]]\n${text}[[${name}.zz_sub]]\nq = 1\n[[${name}.zz_sub]]\n`,
    )
    .join("");
}
