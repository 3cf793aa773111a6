import { randomBytes } from "node:crypto";
import { link, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

/**
 * Writes a whole file so that a reader, or a machine that stops, sees the old content or the new one and
 * nothing between: temporary name in the same folder, flush, rename, flush of the folder.
 * @param options `exclusive`: fail with EEXIST, and change nothing, where the file exists
 */
export async function writeAtomic(
  path: string,
  content: string | Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  { exclusive = false }: { exclusive?: boolean } = {},
): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString("hex")}.tmp`);
  const parts =
    typeof content === "string"
      ? [Buffer.from(content)]
      : content instanceof Uint8Array
        ? [content]
        : content;
  try {
    const file = await open(temporary, "wx");
    try {
      for await (const part of parts) await file.writeFile(part);
      await file.sync();
    } finally {
      await file.close();
    }
    if (exclusive) await linkOrRename(temporary, path);
    else await rename(temporary, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** A rename that fails where the target exists. File systems without links get a plain rename. */
async function linkOrRename(temporary: string, path: string): Promise<void> {
  try {
    await link(temporary, path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== "EPERM" && code !== "ENOTSUP" && code !== "ENOSYS") throw error;
    await rename(temporary, path);
    return;
  }
  await rm(temporary, { force: true });
}

/**
 * Removes what `writeAtomic` left behind when its process was killed. Only for a folder, or a file of it,
 * that nobody else writes now.
 * @param file only the leftovers of this file's name; absent: all of the folder
 */
export async function removeLeftovers(folder: string, file?: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const target = /^\.(.+)\.[0-9a-f]{12}\.tmp$/s.exec(name)?.[1];
    if (target === undefined || (file !== undefined && target !== file)) continue;
    await rm(join(folder, name), { force: true });
  }
}

/**
 * Makes a folder and those above it that are missing. One after the other: Node's own recursive form never
 * comes back where the system says that a folder cannot be made because its parent is missing, as below `/proc`.
 */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  const missing: string[] = [];
  for (let folder = resolve(path); !(await isFolder(folder)); folder = dirname(folder))
    missing.unshift(folder);
  for (const folder of missing) {
    await mkdir(folder, { mode }).catch(async (error: NodeJS.ErrnoException) => {
      // Another process may have been first.
      if (error.code !== "EEXIST" || !(await isFolder(folder))) throw error;
    });
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    const found = await stat(path);
    if (!found.isDirectory())
      throw Object.assign(new Error(`${path} is a file, not a folder`), { code: "ENOTDIR" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}

/** The names in a folder, in no order. A folder that does not exist has none. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** Flushes a folder, so that a rename in it survives a power cut. Not every platform can: then it does nothing. */
export async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await open(path, "r");
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== "EISDIR" && code !== "EPERM" && code !== "EINVAL" && code !== "EACCES") throw error;
  }
}
