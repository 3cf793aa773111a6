import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ElenchusError, messageOf } from "../base/index.js";
import { createJsonTokenizer } from "./jsonTokenizer.js";
import { parseRankFile } from "./rankFile.js";
import { createNanochatTokenizer } from "./rankTokenizer.js";
import type { Tokenizer } from "./tokenizer.js";
import { parseSpecialNames, parseTokenizerConfig, parseTokenizerDocument } from "./tokenizerFiles.js";

/** The files that `loadTokenizer` reads, as patterns for a hub. */
export const TOKENIZER_FILES = [
  "tokenizer.json",
  "tokenizer_config.json",
  "special_tokens_map.json",
  "chat_template.jinja",
  "*.tiktoken",
] as const;

/**
 * Loads the tokenizer of a folder: `tokenizer.json` with what stands beside it, else a single tiktoken rank file
 * (`*.tiktoken`), read with nanochat's split pattern and special tokens. Other encodings by ranks are made with
 * `createRankTokenizer`, which is told their pattern.
 * @throws INPUT_UNREADABLE
 */
export async function loadTokenizer(folder: string): Promise<Tokenizer> {
  const names = await readdir(folder).catch((error: unknown) => {
    throw new ElenchusError(
      "INPUT_UNREADABLE",
      `The tokenizer's folder ${folder} cannot be read: ${messageOf(error)}.`,
      { cause: error },
    );
  });
  const read = async (name: string) =>
    names.includes(name) ? await readFile(join(folder, name), "utf8") : undefined;

  const tokenizer = await read("tokenizer.json");
  if (tokenizer !== undefined) {
    const config = await read("tokenizer_config.json");
    const specialNames = await read("special_tokens_map.json");
    const chatTemplate = await read("chat_template.jinja");
    return createJsonTokenizer({
      tokenizer: parseTokenizerDocument(tokenizer, join(folder, "tokenizer.json")),
      ...(config === undefined
        ? {}
        : { config: parseTokenizerConfig(config, join(folder, "tokenizer_config.json")) }),
      ...(specialNames === undefined ? {} : { specialNames: parseSpecialNames(specialNames) }),
      ...(chatTemplate === undefined ? {} : { chatTemplate }),
      chatTemplateFile: join(
        folder,
        chatTemplate === undefined ? "tokenizer_config.json" : "chat_template.jinja",
      ),
    });
  }
  const rankFiles = names.filter((name) => name.endsWith(".tiktoken"));
  if (rankFiles.length === 1) {
    const path = join(folder, rankFiles[0]!);
    return createNanochatTokenizer(parseRankFile(await readFile(path, "utf8"), path));
  }
  const found =
    rankFiles.length > 1
      ? `the rank files ${rankFiles.join(", ")}`
      : "neither tokenizer.json nor a rank file";
  const pickled = names.some((name) => name.endsWith(".pkl"))
    ? " A tokenizer in a Python pickle cannot be read: write its ranks to a .tiktoken file first, a line per token of base64 bytes, a space and the rank."
    : "";
  throw new ElenchusError(
    "INPUT_UNREADABLE",
    `The folder ${folder} holds ${found}. Expected tokenizer.json or one *.tiktoken file.${pickled}`,
  );
}
