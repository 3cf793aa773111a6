import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createByteMerger } from "../../src/tokenizers/byteMerger.js";
import {
  compileSplitPattern,
  createByteTokenizer,
  createJsonTokenizer,
  createNanochatTokenizer,
  createRankTokenizer,
  formatRankFile,
  formatTokenizer,
  GPT2_PATTERN,
  loadTokenizer,
  NANOCHAT_PATTERN,
  parseRankFile,
  parseTokenizerConfig,
  parseTokenizerDocument,
  renderChatTemplate,
  trainBytePairs,
  writeTokenizer,
} from "../../src/tokenizers/index.js";
import { splitPieces } from "../../src/tokenizers/splitPattern.js";
import { temporaryFolder } from "../support/temporaryFolder.js";
import { corpus } from "./fixtures/goldens.js";

const root = temporaryFolder("tokenizers");
const unreadable = (message: RegExp) =>
  expect.objectContaining({ code: "INPUT_UNREADABLE", message: expect.stringMatching(message) });
const bytes = Array.from({ length: 256 }, (_, byte) => Uint8Array.of(byte));
const of = (text: string) => Buffer.from(text);

describe("trainBytePairs", () => {
  const learn = (texts: string[], size: number, more = {}) =>
    trainBytePairs(texts, { vocabularySize: size, byteOrder: "value", ...more });
  const [a, b, c, d] = [97, 98, 99, 100];

  it("merges the most frequent pair, of equals the one with the smaller ids", () => {
    // ab and cd occur twice each, in words of their own: ab has the smaller ids. Then cd; nothing else recurs.
    const { merges, tokens } = learn(["ab", "cd", "cd", "ab"], 300);
    expect(merges).toEqual([
      [a, b],
      [c, d],
    ]);
    expect(tokens.slice(256).map((token) => Buffer.from(token).toString())).toEqual(["ab", "cd"]);
  });

  it("counts pairs anew after each merge, and overlapping ones from the left", () => {
    // aaaa twice: (a, a) six times, then (aa, aa) twice.
    expect(learn(["aaaa", "aaaa"], 300).merges).toEqual([
      [a, a],
      [256, 256],
    ]);
    // aaa twice: aa a, then the pair of both.
    expect(learn(["aaa", "aaa"], 300).merges).toEqual([
      [a, a],
      [256, a],
    ]);
  });

  it("stops at the size, at the frequency, and never merges across pieces", () => {
    expect(learn(["abcd", "abcd"], 257).merges).toHaveLength(1);
    expect(learn(["ab", "ab", "cd"], 300, { minFrequency: 1 }).merges).toEqual([
      [a, b],
      [c, d],
    ]);
    expect(learn(["a b", "a b"], 300).merges).toEqual([[32, b]]);
    expect(learn([], 300).merges).toEqual([]);
  });

  it("puts special tokens last and needs room for the bytes", () => {
    expect(learn(["ab", "ab"], 300, { specialTokens: ["<x>", "<y>"] }).specialTokens).toEqual({
      "<x>": 257,
      "<y>": 258,
    });
    expect(() => learn([], 256, { specialTokens: ["<x>"] })).toThrow(/leaves 255/);
    expect(() => learn([], 300.5)).toThrow(RangeError);
  });

  it("learns what counting everything anew each time learns", () => {
    const words = fc.array(fc.stringMatching(/^[abc]{1,8}$/), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(words, (texts) => {
        expect(learn(texts, 266).merges).toEqual(learnSlowly(texts, 266));
      }),
      { numRuns: 200 },
    );
  });

  it("does not depend on the order of the texts", () => {
    const lines = corpus.split("\n");
    expect(learn([...lines].reverse(), 350)).toEqual(learn(lines, 350));
  });
});

/** The definition, word by word: count all pairs, take the best, merge everywhere. */
function learnSlowly(texts: readonly string[], size: number): [number, number][] {
  let words = texts.map((text) => [...of(text)]);
  const tokens = bytes.map((byte) => Buffer.from(byte).toString("latin1"));
  const merges: [number, number][] = [];
  while (tokens.length < size) {
    const counts = new Map<string, number>();
    for (const word of words) {
      for (let place = 0; place + 1 < word.length; place++) {
        const pair = `${word[place]},${word[place + 1]}`;
        counts.set(pair, (counts.get(pair) ?? 0) + 1);
      }
    }
    const [best] = [...counts]
      .map(([pair, count]) => [...pair.split(",").map(Number), count] as [number, number, number])
      .sort(([l1, r1, c1], [l2, r2, c2]) => c2 - c1 || l1 - l2 || r1 - r2);
    if (best === undefined || best[2] < 2) break;
    const [left, right] = best;
    const token = tokens[left]! + tokens[right]!;
    if (!tokens.includes(token)) tokens.push(token);
    merges.push([left, right]);
    words = words.map((word) => {
      const merged: number[] = [];
      for (let place = 0; place < word.length; place++) {
        if (word[place] === left && word[place + 1] === right) {
          merged.push(tokens.indexOf(token));
          place++;
        } else merged.push(word[place]!);
      }
      return merged;
    });
  }
  return merges;
}

describe("createByteMerger", () => {
  it("merges by lowest rank, the leftmost first", () => {
    // bc comes before ab: a bc, which together is no token.
    const merge = createByteMerger([...bytes, of("bc"), of("ab"), of("aa"), of("abd")]);
    expect(merge(of("abc"))).toEqual([97, 256]);
    expect(merge(of("aaa"))).toEqual([258, 97]);
    expect(merge(of("abdab"))).toEqual([259, 257]);
    expect(merge(of("abd"))).toEqual([259]);
  });
});

describe("split patterns", () => {
  const split = (text: string, pattern: string) => splitPieces(text, compileSplitPattern(pattern));

  it("cut as GPT-2 and nanochat do", () => {
    expect(split("Don't stop  now 1234!", GPT2_PATTERN)).toEqual([
      "Don",
      "'t",
      " stop",
      " ",
      " now",
      " 1234",
      "!",
    ]);
    expect(split("DON'T (stop)\n\nnow 12345", NANOCHAT_PATTERN)).toEqual([
      "DON",
      "'T",
      " (",
      "stop",
      ")\n\n",
      "now",
      " ",
      "12",
      "34",
      "5",
    ]);
  });

  it("keep what the pattern does not match", () => {
    expect(split("ab1cd", "\\d")).toEqual(["ab", "1", "cd"]);
  });

  it.each([
    ["a++a", "aaa", null],
    ["a?+a", "a", null],
    ["a?+b", "b", "b"],
    ["a{1,2}+a", "aa", null],
    ["a{1,2}+a", "aaa", "aaa"],
    ["(?:ab)++ab", "abab", null],
    ["(?>a|ab)c", "abc", null],
    ["(?i:kA[b-c])", "KaC", "KaC"],
    ["(?i:s)x", "\u017fx", "\u017fx"],
    ["\\w+", "é_1", "é_1"],
    ["[\\w-]+", "a-b", "a-b"],
    ["\\s", "\ufeff", null],
    ["\\s", "\u0085", "\u0085"],
    ["\\pL\\'", "ä'", "ä'"],
    ["\\x{41}", "A", "A"],
    ["a+?", "aa", "a"],
  ])("%s on %j finds %j", (pattern, text, found) => {
    const match = compileSplitPattern(`^(?:${pattern})`).exec(text);
    expect(match?.[0] ?? null).toBe(found);
  });

  it.each(["[a[b]]", "(", ")", "(?P<x>a)", "\\G", "[a", "a\\", "[\\W]"])("refuse %j", (pattern) => {
    expect(() => compileSplitPattern(pattern)).toThrow(unreadable(/split pattern/));
  });
});

describe("rank files", () => {
  it("are written and read back", () => {
    const tokens = [...bytes, of("ab"), undefined, of("é")];
    expect(parseRankFile(formatRankFile(tokens), "x").map((token) => token && [...token])).toEqual(
      tokens.map((token) => token && [...token]),
    );
  });

  it.each([
    ["YQ== x", /line 1/],
    ["YQ== 0\nYg== 0", /line 2.*second time/],
    ["", /holds no tokens/],
    ["! 1", /line 1/],
  ])("refuse %j", (text, message) =>
    expect(() => parseRankFile(text, "x.tiktoken")).toThrow(unreadable(message)),
  );

  it("must have every byte, and free ids for special tokens", () => {
    const options = { pattern: GPT2_PATTERN, specialTokens: {} };
    expect(() => createRankTokenizer({ ...options, tokens: bytes.slice(1) })).toThrow(
      unreadable(/255 of the 256/),
    );
    expect(() => createRankTokenizer({ ...options, tokens: bytes, specialTokens: { x: 3 } })).toThrow(
      unreadable(/no free id/),
    );
    expect(() => createRankTokenizer({ ...options, tokens: bytes, bos: "y" })).toThrow(unreadable(/none of/));
  });
});

describe("what stands around a text", () => {
  it("is added when asked for, with offsets that span nothing", () => {
    const trained = trainBytePairs([corpus], { vocabularySize: 300, specialTokens: ["<s>"] });
    const { tokenizer, config } = formatTokenizer(trained, {
      bos: "<s>",
      eos: "<s>",
      chatTemplate: "{{ x }}",
    });
    const json = createJsonTokenizer({
      tokenizer: parseTokenizerDocument(tokenizer),
      config: parseTokenizerConfig(config),
    });
    expect(json.special).toEqual({ bos: 299, eos: 299, pad: undefined, unk: undefined });
    expect(json.chatTemplate).toBe("{{ x }}");
    for (const each of [json, createByteTokenizer(), createNanochatTokenizer(bytes)]) {
      const { bos } = each.special;
      expect(each.encode("<s>x", { addSpecialTokens: true })).toEqual([bos, ...each.encode("<s>x")]);
      expect(each.encodeWithOffsets("x", { addSpecialTokens: true }).offsets).toEqual([
        [0, 0],
        [0, 1],
      ]);
    }
  });
});

describe("loadTokenizer", () => {
  const trained = trainBytePairs([corpus], {
    vocabularySize: 300,
    byteOrder: "value",
    specialTokens: ["<s>"],
  });

  it("reads what was written, a template in a file of its own first", async () => {
    const folder = join(root, "written");
    await writeTokenizer(folder, formatTokenizer(trained, { bos: "<s>", chatTemplate: "old" }));
    expect(readdirSync(folder).sort()).toEqual(["tokenizer.json", "tokenizer_config.json"]);
    writeFileSync(join(folder, "chat_template.jinja"), "new");
    writeFileSync(join(folder, "special_tokens_map.json"), '{"pad_token":{"content":"<s>"}}');
    const tokenizer = await loadTokenizer(folder);
    expect(tokenizer.chatTemplate).toBe("new");
    expect(tokenizer.special.bos).toBe(299);
    expect(tokenizer.decode(tokenizer.encode(corpus))).toBe(corpus);
  });

  it("names the file of a template that cannot be read, or refuses turns", async () => {
    const folder = join(root, "templates");
    const template = (text: string) => formatTokenizer(trained, { bos: "<s>", chatTemplate: text });
    const rendered = async () =>
      renderChatTemplate(await loadTokenizer(folder), [{ role: "user", content: "Hi" }]);
    await writeTokenizer(folder, template("{% if %}"));
    await expect(rendered()).rejects.toEqual(unreadable(/template of .*tokenizer_config\.json is no Jinja/));
    writeFileSync(join(folder, "chat_template.jinja"), "{% for %}");
    await expect(rendered()).rejects.toEqual(unreadable(/template of .*chat_template\.jinja is no Jinja/));
    writeFileSync(join(folder, "chat_template.jinja"), "{{ raise_exception('no') }}");
    await expect(rendered()).rejects.toThrow(/template of .*chat_template\.jinja refuses the turns user/);
  });

  it("reads a single rank file as nanochat's", async () => {
    const folder = join(root, "ranks");
    mkdirSync(folder);
    writeFileSync(join(folder, "tokenizer.tiktoken"), formatRankFile(trained.tokens));
    const tokenizer = await loadTokenizer(folder);
    expect(tokenizer.tokenToId("<|output_end|>")).toBe(299 + 8);
    writeFileSync(join(folder, "second.tiktoken"), "");
    await expect(loadTokenizer(folder)).rejects.toEqual(unreadable(/rank files second\.tiktoken/));
  });

  it("says what a folder lacks, and what to do with a pickle", async () => {
    await expect(loadTokenizer(join(root, "nowhere"))).rejects.toEqual(unreadable(/cannot be read/));
    const folder = join(root, "pickle");
    mkdirSync(folder);
    writeFileSync(join(folder, "tokenizer.pkl"), "");
    await expect(loadTokenizer(folder)).rejects.toEqual(unreadable(/write its ranks to a \.tiktoken file/));
  });

  it.each([
    "",
    "[]",
    "{}",
    '{"model":{"type":"Nonsense"}}',
    '{"model":{},"added_tokens":[{"id":-1,"content":"x"}]}',
  ])("refuses the tokenizer.json %j", async (text) => {
    const folder = join(root, `bad${readdirSync(root).length}`);
    mkdirSync(folder);
    writeFileSync(join(folder, "tokenizer.json"), text);
    await expect(loadTokenizer(folder)).rejects.toEqual(unreadable(/tokenizer\.json/));
  });
});
