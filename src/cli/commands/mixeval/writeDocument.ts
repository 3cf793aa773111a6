import { ElenchusError, messageOf, writeAtomic } from "../../../base/index.js";

/** Writes what a command was asked to write. @throws PATH_UNWRITABLE */
export async function writeDocument(path: string, text: string): Promise<void> {
  try {
    await writeAtomic(path, text);
  } catch (error) {
    throw new ElenchusError("PATH_UNWRITABLE", `${path} cannot be written: ${messageOf(error)}.`, {
      cause: error,
    });
  }
}
