import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { vi } from "vitest";

const root = join(import.meta.dirname, "../..");
const SOURCES: Readonly<Record<string, string>> = {
  elenchus: "src/index.ts",
  "elenchus/language": "src/language/index.ts",
  "elenchus/tokenizers": "src/tokenizers/index.ts",
};

/** A program in a document, with the output that stands behind it, if one does. */
export interface DocumentedProgram {
  readonly code: string;
  readonly output: string | undefined;
}

/** The TypeScript in a page of docs/ that imports the package. */
export async function programsOf(page: string): Promise<DocumentedProgram[]> {
  const text = await readFile(join(root, "docs", page), "utf8");
  const blocks = text.matchAll(/```ts\n(.*?)```(?:\n+```text\n(.*?)```)?/gs);
  return [...blocks]
    .map(([, code, output]) => ({ code: code!, output }))
    .filter(({ code }) => /^import /.test(code));
}

/** Runs a program on the sources of the package; gives what it prints. */
export async function printedBy(code: string): Promise<string> {
  const linked = code.replace(/from "(elenchus[^"]*)"/g, (_, name: string) => {
    return `from ${JSON.stringify(pathToFileURL(join(root, SOURCES[name]!)).href)}`;
  });
  // Beside the tests: what lies elsewhere is not compiled.
  const folder = await mkdtemp(join(import.meta.dirname, ".program-"));
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  try {
    const file = join(folder, "program.ts");
    await writeFile(file, `${linked}\nexport {};\n`);
    await import(file);
    return log.mock.calls.map((values) => `${values.join(" ")}\n`).join("");
  } finally {
    log.mockRestore();
    await rm(folder, { recursive: true });
  }
}
