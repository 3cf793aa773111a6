import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The file that lists the codes, as the end of its path. */
export const ELENCHUS_ERROR_SOURCE = "errorCatalogue.ts";

/** Every TypeScript file below a folder of the project, with its text. */
export function sourcesOf(folder: string): { path: string; text: string }[] {
  const root = fileURLToPath(new URL(`../../${folder}`, import.meta.url));
  return readdirSync(root, { recursive: true })
    .map(String)
    .filter((path) => path.endsWith(".ts"))
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}
