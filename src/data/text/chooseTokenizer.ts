import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { ElenchusError, makeFolder, messageOf } from "../../base/index.js";
import { type HubEnvironment, resolveFiles } from "../../hub/index.js";
import {
  type BytePairTrainingOptions,
  createByteTokenizer,
  formatTokenizer,
  loadTokenizer,
  NANOCHAT_PATTERN,
  NANOCHAT_SPECIAL_TOKENS,
  TOKENIZER_FILES,
  type Tokenizer,
  type TokenizerRoles,
  trainBytePairs,
  writeTokenizer,
} from "../../tokenizers/index.js";

/** What decides how text becomes tokens. */
export interface TokenizerChoice {
  /** `byte`, `bpe`, `nanochat`, or a folder or repository with a tokenizer. */
  readonly name: string;
  readonly revision?: string | undefined;
  /** Of a vocabulary that is learnt. */
  readonly vocabularySize: number;
  /** What it is learnt from. */
  readonly texts: () => Iterable<string>;
  /** Where it is kept: the next process need not learn it again. */
  readonly dataPath: string;
  readonly hub: HubEnvironment;
}

/** A tokenizer with what tells it from any other: equal texts have equal ids where this is equal. */
export interface ChosenTokenizer {
  readonly tokenizer: Tokenizer;
  readonly identity: string;
  /** Where its files are; absent where it has none. */
  readonly folder?: string;
}

/**
 * The tokenizer of a configuration.
 * @throws HUB_NOT_FOUND and the hub's other errors, INPUT_UNREADABLE for files that are no tokenizer,
 *   PATH_UNWRITABLE where a learnt vocabulary cannot be kept
 */
export async function chooseTokenizer(choice: TokenizerChoice): Promise<ChosenTokenizer> {
  const { name, revision, hub } = choice;
  if (name === "byte") return { tokenizer: createByteTokenizer(), identity: "byte" };
  if (name === "bpe") return learntTokenizer(choice, BPE);
  if (name === "nanochat") return learntTokenizer(choice, NANOCHAT);
  const { folder, files } = await resolveFiles(
    { kind: "model", name, ...(revision !== undefined && { revision }), patterns: [...TOKENIZER_FILES] },
    hub,
  );
  const digest = createHash("sha256");
  for (const [file, path] of files) {
    if (!file.includes("/")) digest.update(file).update(await readFile(path));
  }
  return { tokenizer: await loadTokenizer(folder), identity: digest.digest("hex"), folder };
}

/** A way to learn a vocabulary. */
interface Recipe {
  readonly name: string;
  readonly training: Omit<BytePairTrainingOptions, "vocabularySize">;
  readonly roles: TokenizerRoles;
}

/** Special tokens around texts, for padding, and around the turns of ChatML. */
const BPE: Recipe = {
  name: "bpe",
  training: { specialTokens: ["<|bos|>", "<|eos|>", "<|pad|>", "<|im_start|>", "<|im_end|>"] },
  roles: { bos: "<|bos|>", eos: "<|eos|>", pad: "<|pad|>" },
};

/** As nanochat learns its own. */
const NANOCHAT: Recipe = {
  name: "nanochat",
  training: { pattern: NANOCHAT_PATTERN, specialTokens: NANOCHAT_SPECIAL_TOKENS, byteOrder: "value" },
  roles: { bos: "<|bos|>", eos: "<|assistant_end|>" },
};

/** Learning depends on nothing but the texts and the size, so their digest is the name of the folder. */
async function learntTokenizer(
  { vocabularySize, texts, dataPath }: TokenizerChoice,
  { name, training, roles }: Recipe,
): Promise<ChosenTokenizer> {
  const digest = createHash("sha256").update(JSON.stringify([1, vocabularySize, training, roles]));
  for (const text of texts()) digest.update(text).update("\0");
  const identity = `${name}-${vocabularySize}-${digest.digest("hex").slice(0, 16)}`;
  const folder = join(dataPath, "tokenizers", identity);
  if (!(await isFile(join(folder, "tokenizer.json")))) {
    const trained = trainBytePairs(texts(), { vocabularySize, ...training });
    try {
      await makeFolder(folder);
      await writeTokenizer(folder, formatTokenizer(trained, roles));
    } catch (error) {
      throw new ElenchusError(
        "PATH_UNWRITABLE",
        `The learnt vocabulary cannot be kept in ${folder}: ${messageOf(error)}. Make data.data_path a folder that can be written.`,
        { cause: error },
      );
    }
  }
  return { tokenizer: await loadTokenizer(folder), identity, folder };
}

function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (entry) => entry.isFile(),
    () => false,
  );
}
