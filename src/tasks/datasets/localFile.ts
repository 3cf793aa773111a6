import { realpath } from "node:fs/promises";
import { relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { ElenchusError, messageOf } from "../../base/index.js";

/** Which files of this machine a definition may name: any, those below a folder, or none. */
export type FileAccess = "anywhere" | "nowhere" | { readonly folder: string };

/**
 * The path of a file that a definition names, by a path or a `file:` URL.
 * @throws ADDRESS_REFUSED for one that may not be read here, links followed; INPUT_UNREADABLE where there is none
 */
export async function localFile(name: string, access: FileAccess): Promise<string> {
  if (access === "nowhere" || /^[a-z][a-z0-9+.-]+:/i.test(name.replace(/^file:/i, ""))) throw refused(name);
  const base = access === "anywhere" ? process.cwd() : access.folder;
  const path = resolve(base, /^file:/i.test(name) ? pathOf(name) : name);
  if (access === "anywhere") return path;
  // Whether a file is there is not told of places that may not be looked at.
  if (!isBelow(path, resolve(base))) throw refused(name);
  let [real, folder] = ["", ""];
  try {
    [real, folder] = [await realpath(path), await realpath(base)];
  } catch (error) {
    throw new ElenchusError("INPUT_UNREADABLE", `${name} cannot be read: ${messageOf(error)}.`);
  }
  if (!isBelow(real, folder)) throw refused(name);
  return real;
}

function pathOf(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    throw refused(url);
  }
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && resolve(folder, way) === path;
}

function refused(name: string): ElenchusError {
  return new ElenchusError(
    "ADDRESS_REFUSED",
    `${JSON.stringify(name.slice(0, 200))} is not read here. Give an http(s) address or a data: URL, or upload the file.`,
  );
}
