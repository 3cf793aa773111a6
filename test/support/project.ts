import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "./temporaryFolder.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A folder of a user's own, in which the package is installed. */
export interface Project {
  readonly folder: string;
  write(path: string, text: string): void;
}

/** @param manifest the project's package.json; none is written without it */
export function userProject(name: string, manifest?: object): Project {
  const folder = temporaryFolder(name);
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(root, join(folder, "node_modules", "elenchus"), "dir");
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  if (manifest !== undefined) write("package.json", JSON.stringify(manifest));
  return { folder, write };
}
