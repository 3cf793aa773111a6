import {
  createByteTokenizer,
  createNanochatTokenizer,
  createRankTokenizer,
  createTrainedTokenizer,
  NANOCHAT_PATTERN,
  trainBytePairs,
} from "../../src/tokenizers/index.js";
import { corpus, goldens, goldenTokenizer } from "./fixtures/goldens.js";
import { describeTokenizer } from "./suites/tokenizerSuite.js";

const trained = trainBytePairs([corpus], {
  vocabularySize: 400,
  pattern: NANOCHAT_PATTERN,
  specialTokens: ["<|end|>", "<|endless|>"],
  byteOrder: "value",
});

describeTokenizer("a byte tokenizer", {
  tokenizer: createByteTokenizer(),
  lossless: true,
  special: "<|eos|>",
});
describeTokenizer("a tokenizer by ranks", {
  tokenizer: createRankTokenizer({ ...trained }),
  lossless: true,
  special: "<|end|>",
});
describeTokenizer("nanochat's tokenizer", {
  tokenizer: createNanochatTokenizer(trained.tokens),
  lossless: true,
  special: "<|assistant_end|>",
});
describeTokenizer("a trained tokenizer", {
  tokenizer: createTrainedTokenizer(trained, { bos: "<|end|>" }),
  lossless: true,
  special: "<|end|>",
});
describeTokenizer("a tokenizer.json with GPT-2's pattern", {
  tokenizer: goldenTokenizer(goldens.gpt2),
  lossless: true,
  special: "<|end|>",
});
describeTokenizer("a tokenizer.json of word pieces", {
  tokenizer: goldenTokenizer(goldens.wordPiece),
  lossless: false,
  special: "[SEP]",
});
describeTokenizer("a tokenizer.json of SentencePiece's kind", {
  tokenizer: goldenTokenizer(goldens.sentencePiece),
  lossless: false,
  special: "</s>",
});
