import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRandom } from "../../src/base/index.js";
import { encodeText, prefixToken } from "../../src/language/beginToken.js";
import { exponentialSum } from "../../src/language/exponentialSum.js";
import { GenerationRow } from "../../src/language/generationRow.js";
import { type TokenNode, tokenForest } from "../../src/language/passes/tokenTree.js";
import { rollingRows } from "../../src/language/rollingRows.js";
import { watchStops } from "../../src/language/stopText.js";
import { tokenRows } from "../../src/language/tokenRows.js";
import { chooseToken, type SamplerSettings } from "../../src/language/tokenSampler.js";
import { splitTrailingSpace } from "../../src/language/trailingSpace.js";
import { CHATML_TEMPLATE, type Tokenizer } from "../../src/tokenizers/index.js";
import { BEGIN, END, tokenizer } from "./bigram.js";

const [a, b, c] = [97, 98, 99];
const plain: Tokenizer = { ...tokenizer, encode: (text) => tokenizer.encode(text) };
const AB = 300;
/** Bytes, but ab is one token. */
const merging: Tokenizer = {
  ...plain,
  encode: (text) =>
    text.split("ab").flatMap((part, index) => [...(index > 0 ? [AB] : []), ...plain.encode(part)]),
};
/** Puts a space in front of every text, as SentencePiece does. */
const dummyPrefix: Tokenizer = { ...plain, encode: (text) => (text === "" ? [] : plain.encode(` ${text}`)) };

describe("the boundary of context and continuation", () => {
  const pair = (of: Tokenizer, context: string, continuation: string, options = {}) => {
    const [row] = tokenRows(of, [{ context, continuation }], options, 100);
    return [row!.context, row!.continuation];
  };

  test("joint, lies behind as many tokens as the context has by itself", () => {
    // The whole is ab c: behind one token, as the context has, stands c alone.
    expect(pair(merging, "a", "bc")).toEqual([[a], [c]]);
    expect(pair(merging, "c", "ab")).toEqual([[c], [AB]]);
  });

  test("joint, is moved to the merged token where nothing would be left to score", () => {
    expect(pair(merging, "ca", "b")).toEqual([[c], [AB]]);
    expect(pair(merging, "a", "b")).toEqual([[BEGIN], [AB]]);
  });

  test("separate, keeps both as they are by themselves", () => {
    expect(pair(merging, "a", "bc", { boundary: "separate" })).toEqual([[a], [b, c]]);
  });

  test("separate, gives a continuation the dummy prefix that it does not have joined", () => {
    expect(pair(dummyPrefix, "a", "b")).toEqual([[32, a], [b]]);
    expect(pair(dummyPrefix, "a", "b", { boundary: "separate" })).toEqual([
      [32, a],
      [32, b],
    ]);
  });

  test("moves the white space that Python calls so, line ends too", () => {
    expect(pair(plain, "a \n", "b")).toEqual([[a], [32, 10, b]]);
    expect(splitTrailingSpace("a\x1c\x85\u3000")).toEqual(["a", "\x1c\x85\u3000"]);
    expect(splitTrailingSpace("a\ufeff")).toEqual(["a\ufeff", ""]);
    expect(splitTrailingSpace(" \t")).toEqual(["", " \t"]);
  });
});

describe("the begin token", () => {
  test("stands there where the tokenizer puts one, or as told, but never twice", () => {
    expect(encodeText(tokenizer, "a", {})).toEqual([BEGIN, a]);
    expect(encodeText(plain, "a", {})).toEqual([a]);
    expect(encodeText(plain, "a", { bos: "always" })).toEqual([BEGIN, a]);
    expect(encodeText(tokenizer, "a", { bos: "never" })).toEqual([a]);
    expect(encodeText(tokenizer, "<|bos|>a", {})).toEqual([BEGIN, a]);
    expect(encodeText(tokenizer, "<|bos|>", { specialTokens: "text" })).toHaveLength(8);
  });

  test("is the end token's part where there is none", () => {
    const without = (parts: Partial<Tokenizer["special"]>): Tokenizer => ({
      ...plain,
      special: { ...tokenizer.special, bos: undefined, ...parts },
    });
    expect(prefixToken(tokenizer)).toBe(BEGIN);
    expect(prefixToken(without({}))).toBe(END);
    const missing = expect.objectContaining({ code: "CAPABILITY_MISSING" });
    expect(() => prefixToken(without({ eos: undefined }))).toThrow(missing);
    expect(() => encodeText(without({}), "a", { bos: "always" })).toThrow(missing);
  });

  test("is not put in front of a chat template that writes its own", () => {
    const chatty = { ...tokenizer, chatTemplate: `{{ bos_token }}${CHATML_TEMPLATE}` };
    const request = { prompt: [{ role: "user", content: "a" }] };
    const row = new GenerationRow(chatty, { request, options: {}, index: 0 }, 1000);
    expect(row.prompt.slice(0, 2)).toEqual([BEGIN, "<".charCodeAt(0)]);
  });
});

describe("rolling windows", () => {
  const text = String.fromCharCode(...Array.from({ length: 34 }, (_, code) => code));
  const from = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, at) => first + at);
  const windows = (options: object) =>
    rollingRows(plain, text, options, 10).map(({ context, continuation }) => [context, continuation]);

  test("are disjoint but for one token, the last one filled up to the left", () => {
    expect(windows({})).toEqual([
      [[BEGIN], from(0, 9)],
      [[9], from(10, 19)],
      [[19], from(20, 29)],
      [from(23, 29), from(30, 33)],
    ]);
  });

  test("have the context they are told", () => {
    const expected = [
      [[BEGIN], from(0, 9)],
      [from(5, 9), from(10, 15)],
      [from(11, 15), from(16, 21)],
      [from(17, 21), from(22, 27)],
      [from(23, 27), from(28, 33)],
    ];
    expect(windows({ context: 5 })).toEqual(expected);
    expect(windows({ stride: 6 })).toEqual(expected);
  });

  test("of a text that fits are one", () => {
    expect(windows({ maxLength: 34 })).toEqual([[[BEGIN], from(0, 33)]]);
    expect(windows({ maxLength: 40 })).toEqual([[[BEGIN], from(0, 33)]]);
  });
});

describe("the choice of a token", () => {
  const choose = (shares: number[], settings: Partial<SamplerSettings>, at: number, seen: number[] = []) =>
    chooseToken(
      shares.map(Math.log),
      new Set(seen),
      { temperature: 1, topK: 0, topP: 1, repetitionPenalty: 1, ...settings },
      { ...createRandom(1), next: () => at },
    );

  test("is a draw by the shares", () => {
    expect([0, 0.49, 0.51, 0.79, 0.81, 0.999].map((at) => choose([0.5, 0.3, 0.2], {}, at))).toEqual([
      0, 0, 1, 1, 2, 2,
    ]);
  });

  test("divides logits by the temperature", () => {
    // The roots of 1 and 4: thirds.
    expect([0.33, 0.34].map((at) => choose([0.2, 0.8], { temperature: 2 }, at))).toEqual([0, 1]);
  });

  test("is the first of the most likely at temperature 0", () => {
    expect(choose([0.2, 0.4, 0.4], { temperature: 0 }, 0.99)).toBe(1);
  });

  test("is among the k most likely, and those as likely as the last of them", () => {
    expect([0, 0.99].map((at) => choose([0.1, 0.6, 0.3], { topK: 2 }, at))).toEqual([1, 2]);
    expect([0, 0.99].map((at) => choose([0.2, 0.6, 0.2], { topK: 2 }, at))).toEqual([0, 2]);
  });

  test("keeps the token that crosses the share", () => {
    const among = (topP: number) => [0, 0.7, 0.999].map((at) => choose([0.2, 0.5, 0.3], { topP }, at));
    // 0.5 and 0.3 of 0.8: 0.7 * 0.8 lies beyond 0.5.
    expect(among(0.6)).toEqual([1, 2, 2]);
    expect(among(0.4)).toEqual([1, 1, 1]);
    expect(among(0.9)).toEqual([0, 1, 2]);
    // Of equals as many as are needed, the first ones.
    expect([0, 0.999].map((at) => choose([0.25, 0.25, 0.25, 0.25], { topP: 0.6 }, at))).toEqual([0, 2]);
  });

  test("is less often what was there before", () => {
    const logits = [2, -1, 1.5];
    const settings = { temperature: 0, topK: 0, topP: 1, repetitionPenalty: 2 };
    expect(chooseToken(logits, new Set([0]), settings, createRandom(1))).toBe(2);
    // -1 becomes -2, not -0.5.
    expect(chooseToken([-2.5, -1, -1.5], new Set([1, 7]), settings, createRandom(1))).toBe(2);
  });
});

describe("stop texts", () => {
  test("are found wherever the text is cut, and the one that begins first counts", () => {
    const pieces = fc.array(fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 4 }), {
      maxLength: 8,
    });
    const stops = fc.array(fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 4 }));
    fc.assert(
      fc.property(pieces, stops, (given, watched) => {
        const watch = watchStops(watched);
        const text = given.map((piece) => watch.push(piece)).join("") + watch.end();
        const begins = watched.map((stop) => given.join("").indexOf(stop)).filter((at) => at >= 0);
        expect(watch.found).toBe(begins.length > 0);
        expect(text).toBe(given.join("").slice(0, Math.min(...begins)));
      }),
    );
  });

  test("hold back only what may become one", () => {
    const watch = watchStops(["END", ""]);
    expect([watch.push("an E"), watch.push("g EN"), watch.push("D of"), watch.push(" it")]).toEqual([
      "an ",
      "Eg ",
      "",
      "",
    ]);
    expect(watch.found).toBe(true);
    expect(watch.end()).toBe("");
  });

  test("that name a special token are watched for among the tokens", () => {
    const request = { prompt: "a", stop: ["<|pad|>"], stopTokens: [] };
    const row = new GenerationRow(tokenizer, { request, options: {}, index: 0 }, 100);
    const say = (token: number) => row.accept(Array.from({ length: 259 }, (_, id) => (id === token ? 1 : 0)));
    say(END);
    expect(row.finished).toBe(false);
    say(b);
    say(258);
    expect(row.result()).toEqual({ text: "b", tokens: [END, b], finish: "stop", truncated: 0 });
  });
});

describe("a sum of exponentials", () => {
  const value = fc.float({ min: -800, max: 0, noNaN: true });

  test("is that of Math.exp, to eleven digits", () => {
    fc.assert(
      fc.property(fc.array(value), fc.float({ min: -1000, max: 1000, noNaN: true }), (below, largest) => {
        const values = [...below.map((one) => largest + one), largest];
        const expected = values.reduce((sum, one) => sum + Math.exp(one - largest), 0);
        expect(exponentialSum(values, largest) / expected).toBeCloseTo(1, 11);
      }),
    );
  });

  test("leaves out what is nothing, and shows what is no number", () => {
    expect(exponentialSum([0, -1e9, Number.NEGATIVE_INFINITY], 0)).toBe(1);
    expect(exponentialSum([0, Number.NaN], 0)).toBeNaN();
    expect(exponentialSum([Number.POSITIVE_INFINITY], Number.POSITIVE_INFINITY)).toBeNaN();
  });
});

describe("a prompt", () => {
  const made = (options: object, contextLength: number) =>
    new GenerationRow(tokenizer, { request: { prompt: "abcdefgh" }, options, index: 0 }, contextLength);

  test("that leaves no room for the answer loses its beginning", () => {
    const row = made({ maxNewTokens: 4 }, 10);
    expect(tokenizer.decode(row.prompt)).toBe("cdefgh");
    expect(row.limit).toBe(4);
    // Of an answer that the model has no room for, as much as half of it takes.
    const half = made({ maxNewTokens: 40 }, 10);
    expect(tokenizer.decode(half.prompt)).toBe("defgh");
    expect(half.limit).toBe(6);
    const least = made({ maxNewTokens: 9 }, 10);
    expect(tokenizer.decode(least.prompt)).toBe("h");
    expect(least.limit).toBe(9);
  });

  test("that fills the model is kept where its answer gives way", () => {
    const cut = made({ maxNewTokens: 4, givesWay: "answer" }, 11);
    expect(cut.prompt).toEqual(tokenizer.encode("abcdefgh", { addSpecialTokens: true }));
    expect(cut.limit).toBe(2);
    const full = made({ maxNewTokens: 4, givesWay: "answer" }, 6);
    expect(tokenizer.decode(full.prompt)).toBe("cdefgh");
    expect(full.limit).toBe(1);
    expect(made({ maxNewTokens: 4, givesWay: "answer" }, 100).limit).toBe(4);
  });

  test("is answered in whole characters, half ones at the end as a replacement", () => {
    const pieces: string[] = [];
    const options = { maxNewTokens: 5, onText: ({ text }: { text: string }) => void pieces.push(text) };
    const row = made(options, 100);
    for (const byte of [...Buffer.from("😀"), 0xc3]) {
      row.accept(Array.from({ length: 259 }, (_, id) => (id === byte ? 1 : 0)));
    }
    expect(pieces).toEqual(["😀", "\ufffd"]);
    expect(row.result().text).toBe("😀\ufffd");
    expect(() => made({}, 100).result()).toThrow("not finished");
  });
});

describe("a forest of tokens", () => {
  test("reads every row's tokens in order, and asks for each token's probability once", () => {
    const tokens = fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 5 });
    const rows = fc.array(fc.record({ context: tokens, continuation: tokens, truncated: fc.constant(0) }));
    fc.assert(
      fc.property(rows, fc.constantFrom(1, 2, 3, Number.POSITIVE_INFINITY), (given, leastShared) => {
        const found = new Map<string, { before: number[]; token: number }>();
        const walk = (nodes: readonly TokenNode[], before: readonly number[]) => {
          for (const node of nodes) {
            expect(node.depth).toBe(before.length);
            expect(node.tokens.length).toBeGreaterThan(0);
            for (const [at, readers] of node.readers) {
              for (const { row, place, token } of readers) {
                expect(found.has(`${row} ${place}`)).toBe(false);
                found.set(`${row} ${place}`, { before: [...before, ...node.tokens.slice(0, at + 1)], token });
              }
            }
            walk(node.children, [...before, ...node.tokens]);
          }
        };
        walk(tokenForest(given, leastShared), []);
        const expected = given.flatMap(({ context, continuation }, row) =>
          continuation.map((token, place) => [
            `${row} ${place}`,
            { before: [...context, ...continuation.slice(0, place)], token },
          ]),
        );
        expect([...found].sort()).toEqual(expected.sort());
      }),
    );
  });

  test("shares what is long enough to be shared", () => {
    const rows = [
      [1, 2, 3, 4, 5],
      [1, 2, 3, 4, 6],
      [1, 2, 9, 9],
    ].map((context) => ({ context, continuation: [0], truncated: 0 }));
    const shape = (nodes: readonly TokenNode[]): unknown =>
      nodes.map(({ tokens, children }) => [tokens, shape(children)]);
    expect(shape(tokenForest(rows, 2))).toEqual([
      [
        [1, 2],
        [
          [
            [3, 4],
            [
              [[5], []],
              [[6], []],
            ],
          ],
          [[9, 9], []],
        ],
      ],
    ]);
    expect(shape(tokenForest(rows, 4))).toEqual([
      [
        [1, 2, 3, 4],
        [
          [[5], []],
          [[6], []],
        ],
      ],
      [[1, 2, 9, 9], []],
    ]);
  });
});
