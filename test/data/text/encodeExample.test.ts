import { describe, expect, test } from "vitest";
import { encodeExample } from "../../../src/data/text/encodeExample.js";
import type { TextContent } from "../../../src/data/text/textExample.js";
import { textRows } from "../../../src/data/text/textRows.js";
import { createByteTokenizer, createNanochatTokenizer } from "../../../src/tokenizers/index.js";

const tokenizer = createByteTokenizer();
const BOS = 256;
const EOS = 257;
const example = (content: TextContent, owner?: string) => ({ content, place: "here:1", owner });

describe("an example as tokens", () => {
  test("a text stands between begin and end, and cannot place special tokens itself", () => {
    const { ids, mask } = encodeExample(tokenizer, example({ kind: "text", text: "a<|eos|>" }), "all");
    expect([...ids]).toEqual([BOS, ...Buffer.from("a<|eos|>"), EOS]);
    expect(mask.every((asked) => asked === 1)).toBe(true);
  });

  test.each([
    ["assistant_only", [0, 0, 0, 1, 1, 1]],
    ["all", [1, 1, 1, 1, 1, 1]],
  ] as const)("of a completion %s is learnt", (labels, expected) => {
    const content = { kind: "completion", prompt: "ab", completion: "cd" } as const;
    const { ids, mask } = encodeExample(tokenizer, example(content), labels);
    expect([...ids]).toEqual([BOS, 97, 98, 99, 100, EOS]);
    expect([...mask]).toEqual(expected);
  });

  test("of a conversation only what the assistant says is learnt, or all of it", () => {
    const turns = [
      { role: "user", content: "Hi?" },
      { role: "assistant", content: "Ho." },
    ];
    const text = "<|im_start|>user\nHi?<|im_end|>\n<|im_start|>assistant\nHo.<|im_end|>\n";
    const own = encodeExample(tokenizer, example({ kind: "chat", turns }), "assistant_only");
    expect(tokenizer.decode(own.ids)).toBe(text);
    const learnt = own.ids.filter((_, place) => own.mask[place] === 1);
    // A byte tokenizer has no special token that ends a turn, so the mark is part of what is said.
    expect(tokenizer.decode(learnt)).toBe("Ho.<|im_end|>");
    const all = encodeExample(tokenizer, example({ kind: "chat", turns }), "all");
    expect(all.mask.every((asked) => asked === 1)).toBe(true);
  });

  test("with nanochat's tokens a text has no end, and a conversation is rendered as nanochat does", () => {
    const nanochat = createNanochatTokenizer(Array.from({ length: 256 }, (_, byte) => Uint8Array.of(byte)));
    const encode = (content: TextContent) => encodeExample(nanochat, example(content), "assistant_only");
    expect(nanochat.decode(encode({ kind: "text", text: "ab" }).ids)).toBe("<|bos|>ab");
    const turns = [
      { role: "user", content: "Hi?" },
      { role: "assistant", content: "Ho." },
    ];
    const { ids, mask } = encode({ kind: "chat", turns });
    expect(nanochat.decode(ids)).toBe(
      "<|bos|><|user_start|>Hi?<|user_end|><|assistant_start|>Ho.<|assistant_end|>",
    );
    expect(nanochat.decode(ids.filter((_, place) => mask[place] === 1))).toBe("Ho.<|assistant_end|>");
  });

  test("a conversation that its template refuses is named by its place", () => {
    const template = "{{ raise_exception('roles must alternate') }}";
    const strict = { ...tokenizer, chatTemplate: template };
    const content = { kind: "chat", turns: [{ role: "user", content: "Hi" }] } as const;
    expect(() => encodeExample(strict, example(content), "all")).toThrow(
      expect.objectContaining({
        code: "DATA_INVALID",
        message: expect.stringMatching(/^here:1: .*alternate/s),
      }),
    );
  });
});

describe("examples as rows", () => {
  const text = (words: string, owner: string) => example({ kind: "text", text: words }, owner);

  test("owners never share a row; packed, their texts follow each other", () => {
    const examples = [text("ab", "x"), text("c", "y"), text("d", "x")];
    const rows = (pack: boolean) =>
      textRows(tokenizer, examples, ["x", "y"], { maxLength: 4, labels: "all", pack }).map(
        ({ ids, group }) => [group, ...ids],
      );
    expect(rows(false)).toEqual([
      [0, BOS, 97, 98, EOS],
      [0, BOS, 100, EOS],
      [1, BOS, 99, EOS],
    ]);
    expect(rows(true)).toEqual([
      [0, BOS, 97, 98, EOS, BOS],
      [0, BOS, 100, EOS],
      [1, BOS, 99, EOS],
    ]);
  });

  test("one of which nothing is left to learn is no row", () => {
    const content = { kind: "completion", prompt: "a long prompt", completion: "no" } as const;
    const rules = { maxLength: 4, labels: "assistant_only", pack: false } as const;
    expect(textRows(tokenizer, [example(content)], [], rules)).toEqual([]);
    expect(textRows(tokenizer, [example(content)], [], { ...rules, maxLength: 16 })).toHaveLength(1);
  });
});
