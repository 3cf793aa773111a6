import { describe, expect, it } from "vitest";
import {
  createRankTokenizer,
  createTrainedTokenizer,
  formatTokenizer,
  GPT2_PATTERN,
  NANOCHAT_PATTERN,
  trainBytePairs,
} from "../../src/tokenizers/index.js";
import { corpus, goldens, goldenTokenizer, inUnits } from "./fixtures/goldens.js";

const special = { specialTokens: ["<|end|>"] };
const kinds = [
  { name: "gpt2", golden: goldens.gpt2, pattern: GPT2_PATTERN },
  { name: "nanochat", golden: goldens.nanochat, pattern: NANOCHAT_PATTERN },
] as const;

describe.each(kinds)("beside Hugging Face's tokenizers, $name's pattern", ({ golden, pattern }) => {
  const trained = trainBytePairs([corpus], { vocabularySize: 421, pattern, ...special });

  it("learns the same merges and ids", () => {
    const { model } = JSON.parse(formatTokenizer(trained).tokenizer) as typeof golden.tokenizer;
    const { "<|end|>": end, ...vocabulary } = model.vocab;
    expect(end).toBe(420);
    expect(model.merges).toEqual(golden.tokenizer.model.merges);
    expect(vocabulary).toEqual(golden.tokenizer.model.vocab);
  });

  it("gives the same ids and offsets, from its own file and from theirs", () => {
    for (const tokenizer of [createTrainedTokenizer(trained), goldenTokenizer(golden)]) {
      for (const { text, ids, offsets } of golden.encoded) {
        const found = tokenizer.encodeWithOffsets(text);
        expect({ text, ids: found.ids }).toEqual({ text, ids });
        expect({ text, offsets: found.offsets }).toEqual({ text, offsets: inUnits(text, offsets) });
      }
    }
  });
});

describe("beside tiktoken", () => {
  it("gives the same ids", () => {
    const { vocab } = goldens.nanochat.tokenizer.model;
    const theirs = goldenTokenizer(goldens.nanochat);
    const tokens = Object.values(vocab)
      .sort((one, other) => one - other)
      .map(theirs.tokenBytes);
    const tokenizer = createRankTokenizer({
      tokens,
      pattern: NANOCHAT_PATTERN,
      specialTokens: { "<|end|>": tokens.length },
    });
    for (const { text, parsed, plain } of goldens.ranks) {
      expect({ text, ids: tokenizer.encode(text) }).toEqual({ text, ids: parsed });
      expect({ text, ids: tokenizer.encode(text, { specialTokens: "text" }) }).toEqual({ text, ids: plain });
    }
  });
});

describe.each(["wordPiece", "sentencePiece"] as const)("beside Hugging Face's tokenizers, %s", (kind) => {
  it("gives the same ids, offsets and texts", () => {
    const tokenizer = goldenTokenizer(goldens[kind]);
    for (const { text, ids, offsets, decoded } of goldens[kind].encoded) {
      const found = tokenizer.encodeWithOffsets(text);
      expect({ text, ids: found.ids }).toEqual({ text, ids });
      expect({ text, offsets: found.offsets }).toEqual({ text, offsets: inUnits(text, offsets) });
      expect(tokenizer.decode(ids)).toBe(decoded);
    }
  });
});
