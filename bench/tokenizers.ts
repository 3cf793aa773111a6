// Seconds to learn a byte-level vocabulary from about 10 MB of English-like text, and megabytes per second encoded
// and decoded with it. The text is made of 40,000 seeded words with frequencies by Zipf's law, or comes from a file.
// Run: node --import tsx bench/tokenizers.ts [FILE]
import { readFileSync } from "node:fs";
import { createRandom } from "../src/base/index.js";
import {
  createRankTokenizer,
  createTrainedTokenizer,
  NANOCHAT_PATTERN,
  type Tokenizer,
  trainBytePairs,
} from "../src/tokenizers/index.js";

const SIZES = [1_024, 8_192, 32_768];
const ENCODED_CHARACTERS = 1_000_000;

const file = process.argv[2];
const text = file === undefined ? madeText(10_000_000) : readFileSync(file, "utf8");
const megabytes = Buffer.byteLength(text) / 1e6;
console.log(`${megabytes.toFixed(1)} MB`);

for (const vocabularySize of SIZES) {
  const [trained, seconds] = timed(() =>
    trainBytePairs([text], { vocabularySize, pattern: NANOCHAT_PATTERN, specialTokens: ["<|end|>"] }),
  );
  const sample = text.slice(0, ENCODED_CHARACTERS);
  console.log(
    JSON.stringify({
      vocabulary: vocabularySize,
      train_seconds: Number(seconds.toFixed(2)),
      json: speed(createTrainedTokenizer(trained), sample),
      ranks: speed(createRankTokenizer(trained), sample),
    }),
  );
}

function speed(tokenizer: Tokenizer, sample: string) {
  const size = Buffer.byteLength(sample) / 1e6;
  const [ids, encode] = timed(() => tokenizer.encode(sample));
  const [decoded, decode] = timed(() => tokenizer.decode(ids));
  if (decoded !== sample) throw new Error("the text did not come back");
  return {
    bytes_per_token: Number(((size * 1e6) / ids.length).toFixed(2)),
    encode_mb_s: Number((size / encode).toFixed(1)),
    decode_mb_s: Number((size / decode).toFixed(1)),
  };
}

function timed<T>(work: () => T): [T, number] {
  const start = performance.now();
  const result = work();
  return [result, (performance.now() - start) / 1000];
}

/** Words of two to five syllables, the n-th with a frequency of about 1/n. */
function madeText(characters: number): string {
  const random = createRandom(1, "bench", "tokenizers");
  const syllables = [
    "the",
    "ing",
    "con",
    "er",
    "an",
    "re",
    "tion",
    "st",
    "or",
    "ment",
    "ly",
    "un",
    "ab",
    "ed",
    "ou",
    "pro",
  ];
  const words = Array.from({ length: 40_000 }, () =>
    Array.from({ length: 1 + random.int(4) }, () => syllables[random.int(syllables.length)]).join(""),
  );
  const parts: string[] = [];
  for (let length = 0; length < characters; ) {
    const word = words[Math.floor(words.length ** random.next()) - 1]!;
    const end = random.next();
    const part = word + (end < 0.05 ? ". " : end < 0.12 ? ", " : end < 0.13 ? ".\n\n" : " ");
    parts.push(part);
    length += part.length;
  }
  return parts.join("");
}
