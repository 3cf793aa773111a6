import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const LETTERS = "abcdefghijklmnopqrstuvwxyz .,!?ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789\n";

/** A published model of 97 tokens and 64 places as a folder; its first tokens are letters. */
export function writeSmallModel(folder: string): void {
  const golden = join(import.meta.dirname, "..", "..", "models", "goldens", "llama");
  for (const name of ["config.json", "model.safetensors"]) cpSync(join(golden, name), join(folder, name));
  const vocab = Object.fromEntries([...LETTERS].map((letter, place) => [letter, place + 3]));
  const special = ["<unk>", "<s>", "</s>"].map((content, id) => ({
    ...{ id, content, special: true, single_word: false, lstrip: false, rstrip: false, normalized: false },
  }));
  writeFileSync(
    join(folder, "tokenizer.json"),
    JSON.stringify({
      version: "1.0",
      ...{ truncation: null, padding: null, normalizer: null, pre_tokenizer: null, post_processor: null },
      added_tokens: special,
      decoder: { type: "Fuse" },
      model: {
        ...{ type: "BPE", dropout: null, unk_token: "<unk>", fuse_unk: false, byte_fallback: false },
        ...{ continuing_subword_prefix: null, end_of_word_suffix: null, ignore_merges: false, merges: [] },
        vocab: { "<unk>": 0, "<s>": 1, "</s>": 2, ...vocab },
      },
    }),
  );
  writeFileSync(
    join(folder, "tokenizer_config.json"),
    JSON.stringify({
      ...{ bos_token: "<s>", eos_token: "</s>", unk_token: "<unk>" },
      chat_template: "{% for m in messages %}{{ m['content'] }}\n{% endfor %}",
    }),
  );
}
