import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pythonStrip } from "../../src/base/index.js";
import { splitSentences, wordTokens } from "../../src/scoring/sentences/index.js";

describe("sentences", () => {
  it.each<[text: string, sentences: string[]]>([
    ["", []],
    [" \n\t", []],
    ["Hello", ["Hello"]],
    ["Hello. World.  ", ["Hello.", "World."]],
    // Abbreviations, initials, numbers, and words that begin sentences.
    ["Dr. Smith met Mr. Jones.", ["Dr. Smith met Mr. Jones."]],
    ["It was J. Bach. He wrote it.", ["It was J. Bach.", "He wrote it."]],
    ["It was in the U.S. The end.", ["It was in the U.S.", "The end."]],
    ["I paid $3.50. Then I left.", ["I paid $3.50.", "Then I left."]],
    ["See no. 5 there.", ["See no.", "5 there."]],
    // Several marks count once; ellipses only before a word that begins sentences.
    ["Very bad acting!!! I promise.", ["Very bad acting!!!", "I promise."]],
    ["Wait... what? No.", ["Wait... what?", "No."]],
    ["Wait... The end.", ["Wait...", "The end."]],
    // Closing quotes and brackets belong to the sentence before.
    ['He said "Go." She went.', ['He said "Go."', "She went."]],
    ["(One.) Two.", ["(One.)", "Two."]],
    ["One.) (Two.", ["One.)", "(Two."]],
    // A line feed is no border by itself.
    ["A list\n- one\n- two", ["A list\n- one\n- two"]],
    ["One.\r\nTwo.", ["One.", "Two."]],
    ["One.Two.", ["One.Two."]],
    ["你好。再见。", ["你好。再见。"]],
  ])("%j", (text, sentences) => {
    expect(splitSentences(text)).toEqual(sentences);
  });

  const marks = [
    "a",
    "The",
    "Dr",
    "no",
    "J",
    "5",
    ".",
    "!",
    "?",
    "...",
    " ",
    "\n",
    '"',
    "'",
    ")",
    "(",
    "--",
    "é",
    "😀",
    ",",
  ];

  it("lose no character but white space, and keep the order", () => {
    const squeezed = (text: string) => text.replace(/\s/gu, "");
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...marks), { maxLength: 40 }), (parts) => {
        const text = parts.join("");
        const sentences = splitSentences(text);
        expect(squeezed(sentences.join(""))).toBe(squeezed(text));
        let from = 0;
        for (const sentence of sentences) {
          from = text.indexOf(sentence, from) + sentence.length;
          expect(from).toBeGreaterThanOrEqual(sentence.length);
        }
      }),
      { numRuns: 100 },
    );
  });

  it("there are none exactly where the text is blank", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(splitSentences(text).length === 0).toBe(pythonStrip(text) === "");
      }),
    );
  });
});

describe("word tokens", () => {
  it.each<[text: string, tokens: string[]]>([
    ["", []],
    ["DON'T go.", ["DO", "N'T", "go", "."]],
    ["It's John's, isn't it?", ["It", "'s", "John", "'s", ",", "is", "n't", "it", "?"]],
    ['He said "Go," now', ["He", "said", "``", "Go", ",", "''", "now"]],
    ["cannot gonna 'tis", ["can", "not", "gon", "na", "'t", "is"]],
    ["3,000 or $5.50; 50%", ["3,000", "or", "$", "5.50", ";", "50", "%"]],
    ["a--b (c) [d] *e*", ["a", "--", "b", "(", "c", ")", "[", "d", "]", "*", "e", "*"]],
    ["U.S. and Ph.D.", ["U.S.", "and", "Ph.D", "."]],
    ["well-known… “so” ‘x’", ["well-known…", "“", "so", "”", "‘", "x", "’"]],
  ])("%j", (text, tokens) => {
    expect(wordTokens(text)).toEqual(tokens);
  });

  it("hold no white space and are never empty", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        for (const token of wordTokens(text)) expect(token).toBe(pythonStrip(token));
        expect(wordTokens(text)).not.toContain("");
      }),
    );
  });
});
