import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** The files below a folder by their paths with `/`, sorted; links are followed, hidden folders are not. None where there is no folder. */
export async function listFolder(folder: string): Promise<string[]> {
  const found: string[] = [];
  const walk = async (inside: string): Promise<void> => {
    const names = await readdir(join(folder, inside)).catch(() => []);
    for (const name of names) {
      const path = inside === "" ? name : `${inside}/${name}`;
      const kind = await stat(join(folder, path)).catch(() => undefined);
      if (kind?.isFile()) found.push(path);
      else if (kind?.isDirectory() && !name.startsWith(".") && path.split("/").length < DEEPEST)
        await walk(path);
    }
  };
  await walk("");
  return found.sort();
}

/** A link to a folder above would go round for ever. */
const DEEPEST = 16;
