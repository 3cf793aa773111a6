import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { writeAtomic } from "../base/index.js";
import { tokenOfBytes } from "./byteAlphabet.js";
import { createJsonTokenizer } from "./jsonTokenizer.js";
import type { Tokenizer } from "./tokenizer.js";
import { parseTokenizerConfig, parseTokenizerDocument } from "./tokenizerFiles.js";
import type { TrainedBytePairs } from "./trainBytePairs.js";

/** Which special tokens of a learnt vocabulary play a part, by name, and its chat template. */
export interface TokenizerRoles {
  /** Also put before a text with `addSpecialTokens`. */
  readonly bos?: string;
  readonly eos?: string;
  readonly pad?: string;
  readonly chatTemplate?: string;
}

/** The texts of `tokenizer.json` and `tokenizer_config.json`. */
export interface TokenizerTexts {
  readonly tokenizer: string;
  readonly config: string;
}

/** A learnt vocabulary as Hugging Face's tokenizers read it. */
export function formatTokenizer(trained: TrainedBytePairs, roles: TokenizerRoles = {}): TokenizerTexts {
  const name = (id: number) => tokenOfBytes(trained.tokens[id]!);
  const specials = Object.entries(trained.specialTokens);
  const document = {
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: specials.map(([content, id]) => ({ id, content, ...PLAIN, special: true })),
    normalizer: null,
    pre_tokenizer: {
      type: "Sequence",
      pretokenizers: [
        { type: "Split", pattern: { Regex: trained.pattern }, behavior: "Isolated", invert: false },
        { type: "ByteLevel", add_prefix_space: false, trim_offsets: false, use_regex: false },
      ],
    },
    post_processor: roles.bos === undefined ? null : beginsWith(roles.bos, trained.specialTokens[roles.bos]!),
    decoder: { type: "ByteLevel", add_prefix_space: false, trim_offsets: false, use_regex: false },
    model: {
      type: "BPE",
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: false,
      byte_fallback: false,
      ignore_merges: false,
      vocab: Object.fromEntries([...trained.tokens.map((_, id) => [name(id), id]), ...specials]),
      merges: trained.merges.map(([left, right]) => [name(left), name(right)]),
    },
  };
  const config = {
    tokenizer_class: "PreTrainedTokenizerFast",
    clean_up_tokenization_spaces: false,
    added_tokens_decoder: Object.fromEntries(
      specials.map(([content, id]) => [String(id), { content, ...PLAIN, special: true }]),
    ),
    bos_token: roles.bos ?? null,
    eos_token: roles.eos ?? null,
    pad_token: roles.pad ?? null,
    unk_token: null,
    ...(roles.chatTemplate === undefined ? {} : { chat_template: roles.chatTemplate }),
  };
  return {
    tokenizer: `${JSON.stringify(document, null, 1)}\n`,
    config: `${JSON.stringify(config, null, 2)}\n`,
  };
}

/** Writes `tokenizer.json` and `tokenizer_config.json` into a folder, which is made where it is missing. */
export async function writeTokenizer(folder: string, texts: TokenizerTexts): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeAtomic(join(folder, "tokenizer_config.json"), texts.config);
  await writeAtomic(join(folder, "tokenizer.json"), texts.tokenizer);
}

/** A learnt vocabulary at work, without a detour over files. */
export function createTrainedTokenizer(trained: TrainedBytePairs, roles: TokenizerRoles = {}): Tokenizer {
  const { tokenizer, config } = formatTokenizer(trained, roles);
  return createJsonTokenizer({
    tokenizer: parseTokenizerDocument(tokenizer),
    config: parseTokenizerConfig(config),
  });
}

const PLAIN = { single_word: false, lstrip: false, rstrip: false, normalized: false } as const;

function beginsWith(name: string, id: number) {
  const token = { SpecialToken: { id: name, type_id: 0 } };
  const first = { Sequence: { id: "A", type_id: 0 } };
  const second = { Sequence: { id: "B", type_id: 1 } };
  return {
    type: "TemplateProcessing",
    single: [token, first],
    pair: [token, first, { SpecialToken: { id: name, type_id: 1 } }, second],
    special_tokens: { [name]: { id: name, ids: [id], tokens: [name] } },
  };
}
