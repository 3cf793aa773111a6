import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parse as parseToml } from "@iarna/toml";
import { parseDocument } from "yaml";
import { ElenchusError, messageOf } from "../../base/index.js";

/**
 * What a task file says, with what it includes: its own keys count before those.
 * @throws INPUT_UNREADABLE naming the file
 */
export function readTaskText(path: string, before: readonly string[] = []): Record<string, unknown> {
  const place = resolve(path);
  if (before.includes(place)) {
    throw new ElenchusError("INPUT_UNREADABLE", `${path} includes itself, by way of ${before.join(", ")}.`);
  }
  const { include, ...own } = parsed(place);
  if (include === undefined) return own;
  if (typeof include !== "string") {
    throw new ElenchusError("INPUT_UNREADABLE", `include in ${path} is not the path of a file.`);
  }
  return { ...readTaskText(resolve(dirname(place), include), [...before, place]), ...own };
}

function parsed(path: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new ElenchusError("INPUT_UNREADABLE", `${path} cannot be read: ${messageOf(error)}.`);
  }
  return path.endsWith(".toml") ? tomlOf(text, path) : yamlOf(text, path);
}

function tomlOf(text: string, path: string): Record<string, unknown> {
  try {
    return { ...parseToml(text) };
  } catch (error) {
    throw new ElenchusError("INPUT_UNREADABLE", `${path} is no TOML: ${messageOf(error)}`);
  }
}

/** Files that the harness includes have no ending of their own: what is no TOML is YAML. */
function yamlOf(text: string, path: string): Record<string, unknown> {
  const document = parseDocument(text);
  const tag = /!function[^\n]*/.exec(text.replace(/#[^\n]*/g, ""))?.[0];
  if (tag !== undefined && document.warnings.some(({ code }) => code === "TAG_RESOLVE_FAILED")) {
    throw new ElenchusError(
      "CONFIG_UNSUPPORTED",
      `${path} uses ${tag}, which needs Python. Write the task in TypeScript, or say it with templates.`,
    );
  }
  const [fault] = document.errors;
  const found: unknown = fault === undefined ? document.toJS() : undefined;
  if (typeof found === "object" && found !== null && !Array.isArray(found)) return { ...found };
  throw new ElenchusError(
    "INPUT_UNREADABLE",
    `${path} is no YAML of a task: ${fault?.message ?? "it holds no keys"}.`,
  );
}
