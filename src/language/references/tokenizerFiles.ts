import { type HubEnvironment, resolveFiles } from "../../hub/index.js";
import { TOKENIZER_FILES } from "../../tokenizers/index.js";

/** The folder with the tokenizer of a folder or repository. @throws as `resolveFiles` */
export async function resolveTokenizerFiles(name: string, hub: HubEnvironment): Promise<string> {
  const { folder } = await resolveFiles({ kind: "model", name, patterns: [...TOKENIZER_FILES] }, hub);
  return folder;
}
