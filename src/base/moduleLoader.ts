import { register } from "node:module";
import { register as registerRequire } from "tsx/cjs/api";
import { register as registerImport } from "tsx/esm/api";

/*
 * Lets this process load users' modules, in TypeScript or not; imported for its effect, which happens once.
 *
 * What is written as a module is loaded as one. Without this rule, the `type` of the nearest package.json
 * would decide: a file in a folder that has none would become CommonJS, where `await` at the top is an error
 * and the import of an ES module may end in a cycle.
 */
registerRequire();
registerImport();

const hook = `
import { readFile } from "node:fs/promises";

const AMBIGUOUS = /^file:(?!.*\\/node_modules\\/).*\\.[jt]sx?(?:[?#]|$)/;
const MODULE_SYNTAX = /^[ \\t]*(?:import[ \\t]*["'{*\\w]|export[ \\t]+[{*\\w])/m;

export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  if (found.format !== "commonjs" || !AMBIGUOUS.test(found.url)) return found;
  const source = await readFile(new URL(found.url), "utf8").catch(() => "");
  return MODULE_SYNTAX.test(source) ? { ...found, format: "module" } : found;
}
`;
// Hooks run in a thread of their own; as text they need no file that would have to be compiled for it.
register(`data:text/javascript,${encodeURIComponent(hook)}`);
