import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { ElenchusError, messageOf } from "../../base/index.js";
import {
  createNanochatTokenizer,
  loadTokenizer,
  parseRankFile,
  type Tokenizer,
} from "../../tokenizers/index.js";
import { nanochatFolder } from "./coreBundle.js";
import type { CoreConfig } from "./coreOptions.js";

/**
 * What makes tokens for CORE: what the table names, else the trainer's, else the one that nanochat has learnt and keeps
 * in its folder.
 * @throws INPUT_UNREADABLE, for a pickle saying how its ranks are written to a file; CAPABILITY_MISSING for one
 *   without a begin token, which stands in front of every text of CORE
 */
export async function coreTokenizer(
  { tokenizer: path }: CoreConfig,
  own: Tokenizer | undefined,
): Promise<Tokenizer> {
  const tokenizer =
    path !== undefined
      ? await readTokenizer(path)
      : (own ?? (await readTokenizer(join(nanochatFolder(), "tokenizer"))));
  if (tokenizer.special.bos !== undefined) return tokenizer;
  throw new ElenchusError(
    "CAPABILITY_MISSING",
    "The tokenizer has no begin token, which CORE puts in front of every text. Name another with tokenizer.",
  );
}

async function readTokenizer(path: string): Promise<Tokenizer> {
  const entry = await stat(path).catch((error: unknown) => {
    throw unreadable(path, messageOf(error), MEND);
  });
  if (entry.isDirectory()) {
    const names = await readdir(path);
    const readable = names.some((name) => name === "tokenizer.json" || name.endsWith(".tiktoken"));
    if (!readable && names.some(isPickle))
      throw unreadable(path, "it holds only a Python pickle", CONVERSION);
    return await loadTokenizer(path);
  }
  if (basename(path) === "tokenizer.json") return await loadTokenizer(dirname(path));
  if (isPickle(path)) throw unreadable(path, "it is a Python pickle", CONVERSION);
  return createNanochatTokenizer(parseRankFile(await readFile(path, "utf8"), path));
}

function isPickle(name: string): boolean {
  return name.endsWith(".pkl");
}

function unreadable(path: string, found: string, mend: string): ElenchusError {
  return new ElenchusError("INPUT_UNREADABLE", `The tokenizer ${path} cannot be read: ${found}. ${mend}`);
}

const MEND = "Name a tokenizer.json, a rank file (.tiktoken) or the folder of one of them with tokenizer.";

/** nanochat's pickle is an encoding of tiktoken's. */
const CONVERSION = `Write its ranks to a file once, in its folder: python -c "import base64, pickle; e = pickle.load(open('tokenizer.pkl', 'rb')); open('tokenizer.tiktoken', 'w').writelines(base64.b64encode(t).decode() + ' ' + str(r) + chr(10) for t, r in e._mergeable_ranks.items())"`;
