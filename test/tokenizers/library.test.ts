import * as library from "@huggingface/tokenizers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createJsonTokenizer,
  formatTokenizer,
  NANOCHAT_PATTERN,
  parseTokenizerDocument,
  trainBytePairs,
} from "../../src/tokenizers/index.js";
import { corpus, goldens } from "./fixtures/goldens.js";

const trained = JSON.parse(
  formatTokenizer(
    trainBytePairs([corpus], { vocabularySize: 420, pattern: NANOCHAT_PATTERN, specialTokens: ["<|end|>"] }),
  ).tokenizer,
) as Record<string, object>;
const byteLevel = { type: "ByteLevel", add_prefix_space: false, trim_offsets: true, use_regex: true };
const digits = { type: "Sequence", pretokenizers: [{ type: "Digits", individual_digits: true }, byteLevel] };

const documents = {
  "a learnt one": trained,
  "GPT-2's form": { ...goldens.gpt2.tokenizer, pre_tokenizer: byteLevel },
  "SmolLM2's form, digits apart": { ...trained, pre_tokenizer: digits },
  "Qwen's form, composed first": { ...trained, normalizer: { type: "NFC" } },
  "a space put in front": { ...trained, pre_tokenizer: { ...byteLevel, add_prefix_space: true } },
  "a name that takes spaces": {
    ...trained,
    added_tokens: [
      { id: 419, content: "<|end|>", special: true, lstrip: true, rstrip: false, normalized: false },
    ],
  },
};

describe.each(Object.entries(documents))("%s", (_, document) => {
  it("gives the ids that the library gives when it does everything itself", () => {
    const engine = new library.Tokenizer(document, {}) as {
      encode(text: string, options: object): { ids: number[] };
    };
    const tokenizer = createJsonTokenizer({ tokenizer: parseTokenizerDocument(JSON.stringify(document)) });
    const parts = fc.constantFrom(
      "the",
      " people",
      "'s",
      "1863",
      " ",
      "\n",
      "\t",
      "é",
      "e\u0301",
      "😀",
      "<|end|>",
      "!?",
      "\u3000",
    );
    const text = fc
      .array(fc.oneof(parts, fc.string({ maxLength: 3 })), { maxLength: 12 })
      .map((each) => each.join(""));
    fc.assert(
      fc.property(text, (each) => {
        expect(tokenizer.encode(each)).toEqual(engine.encode(each, { add_special_tokens: false }).ids);
        expect(tokenizer.encodeWithOffsets(each).offsets.at(-1)?.[1] ?? 0).toBeLessThanOrEqual(each.length);
      }),
      { numRuns: 150 },
    );
  });
});
