import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
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

/**
 * The tokenizer of a configuration.
 * @throws HUB_NOT_FOUND and the hub's other errors, INPUT_UNREADABLE for files that are no tokenizer,
 *   PATH_UNWRITABLE where a learnt vocabulary cannot be kept
 */
export async function chooseTokenizer(choice: TokenizerChoice): Promise<Tokenizer> {
  const { name, revision, hub } = choice;
  if (name === "byte") return createByteTokenizer();
  if (name === "bpe") return learntTokenizer(choice);
  const { folder } = await resolveFiles(
    { kind: "model", name, ...(revision !== undefined && { revision }), patterns: [...TOKENIZER_FILES] },
    hub,
  );
  return loadTokenizer(folder);
}

/** Special tokens of a learnt vocabulary: around texts, for padding, and around the turns of ChatML. */
const SPECIAL_TOKENS = ["<|bos|>", "<|eos|>", "<|pad|>", "<|im_start|>", "<|im_end|>"];
const ROLES = { bos: "<|bos|>", eos: "<|eos|>", pad: "<|pad|>" };

/** Learning depends on nothing but the texts and the size, so their digest is the name of the folder. */
async function learntTokenizer({ vocabularySize, texts, dataPath }: TokenizerChoice): Promise<Tokenizer> {
  const digest = createHash("sha256").update(JSON.stringify([1, vocabularySize, SPECIAL_TOKENS]));
  for (const text of texts()) digest.update(text).update("\0");
  const folder = join(dataPath, "tokenizers", `bpe-${vocabularySize}-${digest.digest("hex").slice(0, 16)}`);
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
  return loadTokenizer(folder);
}

function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (entry) => entry.isFile(),
    () => false,
  );
}
