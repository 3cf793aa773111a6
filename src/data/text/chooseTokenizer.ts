import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { ElenchusError, makeFolder, messageOf } from "../../base/index.js";
import { type HubEnvironment, resolveFiles } from "../../hub/index.js";
import {
  createByteTokenizer,
  formatTokenizer,
  loadTokenizer,
  TOKENIZER_FILES,
  type Tokenizer,
  trainBytePairs,
  writeTokenizer,
} from "../../tokenizers/index.js";

/** What decides how text becomes tokens. */
export interface TokenizerChoice {
  /** `byte`, `bpe`, or a folder or repository with a tokenizer. */
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
}

/**
 * The tokenizer of a configuration.
 * @throws HUB_NOT_FOUND and the hub's other errors, INPUT_UNREADABLE for files that are no tokenizer,
 *   PATH_UNWRITABLE where a learnt vocabulary cannot be kept
 */
export async function chooseTokenizer(choice: TokenizerChoice): Promise<ChosenTokenizer> {
  const { name, revision, hub } = choice;
  if (name === "byte") return { tokenizer: createByteTokenizer(), identity: "byte" };
  if (name === "bpe") return learntTokenizer(choice);
  const { folder, files } = await resolveFiles(
    { kind: "model", name, ...(revision !== undefined && { revision }), patterns: [...TOKENIZER_FILES] },
    hub,
  );
  const digest = createHash("sha256");
  for (const [file, path] of files) {
    if (!file.includes("/")) digest.update(file).update(await readFile(path));
  }
  return { tokenizer: await loadTokenizer(folder), identity: digest.digest("hex") };
}

/** Special tokens of a learnt vocabulary: around texts, for padding, and around the turns of ChatML. */
const SPECIAL_TOKENS = ["<|bos|>", "<|eos|>", "<|pad|>", "<|im_start|>", "<|im_end|>"];
const ROLES = { bos: "<|bos|>", eos: "<|eos|>", pad: "<|pad|>" };

/** Learning depends on nothing but the texts and the size, so their digest is the name of the folder. */
async function learntTokenizer({
  vocabularySize,
  texts,
  dataPath,
}: TokenizerChoice): Promise<ChosenTokenizer> {
  const digest = createHash("sha256").update(JSON.stringify([1, vocabularySize, SPECIAL_TOKENS]));
  for (const text of texts()) digest.update(text).update("\0");
  const identity = `bpe-${vocabularySize}-${digest.digest("hex").slice(0, 16)}`;
  const folder = join(dataPath, "tokenizers", identity);
  if (!(await isFile(join(folder, "tokenizer.json")))) {
    const trained = trainBytePairs(texts(), { vocabularySize, specialTokens: SPECIAL_TOKENS });
    try {
      await makeFolder(folder);
      await writeTokenizer(folder, formatTokenizer(trained, ROLES));
    } catch (error) {
      throw new ElenchusError(
        "PATH_UNWRITABLE",
        `The learnt vocabulary cannot be kept in ${folder}: ${messageOf(error)}. Make data.data_path a folder that can be written.`,
        { cause: error },
      );
    }
  }
  return { tokenizer: await loadTokenizer(folder), identity };
}

function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (entry) => entry.isFile(),
    () => false,
  );
}
