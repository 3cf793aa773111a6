import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTextStream, type Tokenizer } from "../../../src/tokenizers/index.js";

/** What the suite has to know of an implementation. */
export interface TokenizerCase {
  readonly tokenizer: Tokenizer;
  /** Whether every text comes back as it was. */
  readonly lossless: boolean;
  /** Name of a special token. */
  readonly special: string;
}

const texts = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 20 }),
  fc.stringMatching(/^[a-e '\n\t0-9.é😀]{0,40}$/u),
);

/** What every tokenizer keeps to. */
export function describeTokenizer(name: string, { tokenizer, lossless, special }: TokenizerCase): void {
  const specialId = tokenizer.tokenToId(special)!;

  describe(name, () => {
    it("gives ids that its vocabulary holds", () => {
      fc.assert(
        fc.property(texts, (text) => {
          for (const id of tokenizer.encode(text)) {
            expect(id).toBeGreaterThanOrEqual(0);
            expect(id).toBeLessThan(tokenizer.vocabularySize);
            expect(tokenizer.idToToken(id)).toBeTypeOf("string");
          }
        }),
        { numRuns: 60 },
      );
    });

    it("gives every text back", () => {
      if (!lossless) return expect(tokenizer.decode(tokenizer.encode("the people"))).toBe("the people");
      fc.assert(
        fc.property(texts, (text) => {
          expect(tokenizer.decode(tokenizer.encode(text))).toBe(wellFormed(text));
          expect(tokenizer.decode(tokenizer.encode(text, { specialTokens: "text" }))).toBe(wellFormed(text));
        }),
        { numRuns: 150 },
      );
    });

    it("stands its bytes one behind the other", () => {
      if (!tokenizer.byteLevel) return;
      fc.assert(
        fc.property(texts, (text) => {
          const ids = tokenizer.encode(text, { specialTokens: "text" });
          expect(Buffer.concat(ids.map(tokenizer.tokenBytes)).toString("utf8")).toBe(wellFormed(text));
        }),
        { numRuns: 60 },
      );
    });

    it("tells by offsets what each id stands for", () => {
      fc.assert(
        fc.property(texts, (text) => {
          const { ids, offsets } = tokenizer.encodeWithOffsets(text);
          expect(ids).toEqual(tokenizer.encode(text));
          expect(offsets).toHaveLength(ids.length);
          let reached = 0;
          let begun = 0;
          for (const [start, end] of offsets) {
            expect(end).toBeGreaterThanOrEqual(start);
            expect(start).toBeGreaterThanOrEqual(begun);
            // No gap: the next token begins where one ended, or in the same character.
            if (lossless) expect(start).toBeLessThanOrEqual(reached);
            begun = start;
            reached = Math.max(reached, end);
          }
          expect(reached).toBeLessThanOrEqual(text.length);
          if (lossless) expect(reached).toBe(text.length);
        }),
        { numRuns: 100 },
      );
    });

    it("streams the same text, in whole characters", () => {
      fc.assert(
        fc.property(texts, fc.integer({ min: 1, max: 4 }), (text, step) => {
          const ids = tokenizer.encode(text);
          const stream = createTextStream(tokenizer);
          let streamed = "";
          for (let start = 0; start < ids.length; start += step) {
            const part = stream.push(ids.slice(start, start + step));
            expect(wellFormed(part)).toBe(part);
            streamed += part;
          }
          expect(streamed + stream.end()).toBe(tokenizer.decode(ids));
        }),
        { numRuns: 100 },
      );
    });

    it("streams arbitrary ids, broken characters included, as it decodes them", () => {
      const id = fc.integer({ min: 0, max: tokenizer.vocabularySize - 1 });
      fc.assert(
        fc.property(fc.array(id, { maxLength: 12 }), fc.boolean(), (ids, skipSpecialTokens) => {
          const stream = createTextStream(tokenizer, { skipSpecialTokens });
          const streamed = ids.map((each) => stream.push([each])).join("") + stream.end();
          if (tokenizer.byteLevel) expect(streamed).toBe(tokenizer.decode(ids, { skipSpecialTokens }));
        }),
        { numRuns: 100 },
      );
    });

    it("streams past special tokens that are left out", () => {
      const words = tokenizer.encode("the the");
      const ids = [specialId, ...words, specialId, specialId, ...words, ...words];
      const stream = createTextStream(tokenizer, { skipSpecialTokens: true });
      const streamed = ids.map((id) => stream.push([id])).join("") + stream.end();
      expect(streamed).toBe(tokenizer.decode(ids, { skipSpecialTokens: true }));
    });

    it("reads a special token's name as that token, or as text", () => {
      expect(tokenizer.specialIds).toContain(specialId);
      expect(tokenizer.encode(`the${special}the`)).toContain(specialId);
      expect(tokenizer.encode(`the${special}the`, { specialTokens: "text" })).not.toContain(specialId);
      expect(tokenizer.tokenBytes(specialId)).toHaveLength(0);
      expect(tokenizer.idToToken(specialId)).toBe(special);
      expect(tokenizer.decode([specialId], { skipSpecialTokens: true })).toBe("");
      expect(tokenizer.decode([specialId])).toBe(special);
      const { ids, offsets } = tokenizer.encodeWithOffsets(`the${special}the`);
      expect(offsets[ids.indexOf(specialId)]).toEqual([3, 3 + special.length]);
    });

    it("lets ids beyond the vocabulary stand for nothing and refuses what is no id", () => {
      expect(tokenizer.decode([tokenizer.vocabularySize + 5])).toBe("");
      expect(tokenizer.tokenBytes(tokenizer.vocabularySize + 5)).toHaveLength(0);
      expect(tokenizer.idToToken(tokenizer.vocabularySize + 5)).toBeUndefined();
      expect(tokenizer.tokenToId("no such token at all")).toBeUndefined();
      expect(() => createTextStream(tokenizer).push([-1])).toThrow(RangeError);
      expect(() => createTextStream(tokenizer).push([1.5])).toThrow(RangeError);
    });

    it("has nothing to say of nothing", () => {
      expect(tokenizer.encode("")).toEqual([]);
      expect(tokenizer.decode([])).toBe("");
      expect(tokenizer.encodeWithOffsets("")).toEqual({ ids: [], offsets: [] });
    });
  });
}

/** The text as UTF-8 can say it: half a surrogate pair becomes U+FFFD. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString("utf8");
}
