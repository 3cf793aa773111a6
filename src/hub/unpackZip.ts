import { randomUUID } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, resolve, sep } from "node:path";
import { ElenchusError } from "../base/index.js";
import { asUnwritable } from "./downloadFile.js";
import { withZip } from "./zipFile.js";

/**
 * Unpacks an archive into a folder that is there whole, or not at all; a folder that holds all of it is left out of
 * the paths. One that is there is left as it is: of several processes that unpack at the same time the first counts.
 * @throws INPUT_UNREADABLE as `withZip`, and for a file that would lie outside the folder; PATH_UNWRITABLE
 */
export async function unpackZip(archive: string, folder: string): Promise<void> {
  const partial = `${folder}.${randomUUID()}.incomplete`;
  try {
    await mkdir(partial, { recursive: true });
    await withZip(archive, async (all) => {
      // What macOS puts beside the files.
      const entries = all.filter(({ name }) => !name.startsWith("__MACOSX/"));
      const top = sharedFolder(entries.map(({ name }) => name));
      for (const entry of entries) {
        const target = resolve(partial, entry.name.slice(top.length));
        if (!target.startsWith(partial + sep)) throw outside(archive, entry.name);
        await mkdir(dirname(target), { recursive: true });
        await writeFile(target, await entry.read());
      }
    });
    await rename(partial, folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
    });
  } catch (error) {
    throw asUnwritable(error, folder);
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

/** The folder that all paths begin with, with its slash; empty where there is none. */
function sharedFolder([first = "", ...others]: readonly string[]): string {
  const top = first.slice(0, first.indexOf("/") + 1);
  return others.every((name) => name.startsWith(top)) ? top : "";
}

function outside(archive: string, name: string): ElenchusError {
  return new ElenchusError(
    "INPUT_UNREADABLE",
    `The archive ${archive} has a file ${JSON.stringify(name)}, which would lie outside its folder. Do not use it.`,
  );
}
