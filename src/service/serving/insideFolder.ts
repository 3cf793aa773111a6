import { realpath } from "node:fs/promises";
import { isAbsolute, relative, sep } from "node:path";

/** The real path of a file or folder that lies below a folder, links followed; undefined for any other. */
export async function insideFolder(path: string, folder: string): Promise<string | undefined> {
  try {
    const [real, base] = [await realpath(path), await realpath(folder)];
    const way = relative(base, real);
    const outside = way === "" || way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way);
    return outside ? undefined : real;
  } catch {
    return undefined;
  }
}
