import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { z } from "zod";
import { ElenchusError, messageOf, optionFaults } from "../../base/index.js";
import type { Task } from "../task.js";

/** Where the rows of a split are, and what has to be done with them. */
export interface SplitSource {
  /** Places to look at, in this order. */
  readonly files: readonly string[];
  /** A form of `rowForms`. */
  readonly form?: string | undefined;
  /** What a column is called in the file, by the name that the task knows. */
  readonly fields?: Readonly<Record<string, string>> | undefined;
  /** Rows that belong to the task: those with these values. */
  readonly where?: Readonly<Record<string, unknown>> | undefined;
}

/** Which file holds which split of which task. */
export interface Sources {
  /** The file that says so. */
  readonly path: string;
  /** Undefined: it says nothing of that split. Null: it says that there is none. */
  find(task: Task, split: string): SplitSource | null | undefined;
}

/**
 * Reads a `sources.json`: task -> split -> file. A task is named with or without its dialect, or by a beginning and
 * `*`; a file is a path, or an object with `file` and, where rows differ from the hub's, `form`, `fields` and `where`
 * (in which `$config` is the task's configuration); `null` says that there is no such split. `$roots` lists folders
 * that paths begin at, `$NAME` at their beginning is a variable of the environment.
 * @param folder what paths are relative to; default the file's own folder
 * @throws INPUT_UNREADABLE
 */
export async function readSources(path: string, folder = dirname(path)): Promise<Sources> {
  const document = parseSources(path, await textOf(path));
  const { $roots = ["."], ...tasks } = document;
  const roots = $roots.flatMap((root) => rootFolder(root, folder));
  return {
    path,
    find(task, split) {
      for (const name of namesOf(task)) {
        const entry = ownEntry(tasks, name);
        const source = entry === undefined || !Object.hasOwn(entry, split) ? undefined : entry[split];
        if (source === null) return null;
        if (source !== undefined) return splitSource(source, roots, task);
      }
      return undefined;
    },
  };
}

const fileEntry = z.strictObject({
  file: z.string().min(1),
  form: z.string().optional(),
  fields: z.record(z.string(), z.string()).optional(),
  where: z.record(z.string(), z.unknown()).optional(),
});
const splitEntry = z.union([z.string().min(1), fileEntry, z.null()]);
const taskEntry = z.record(z.string(), splitEntry);
const sourcesSchema = z.object({ $roots: z.array(z.string()).optional() }).catchall(taskEntry);

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw new ElenchusError("INPUT_UNREADABLE", `${path} cannot be read: ${messageOf(error)}.`);
  }
}

function parseSources(path: string, text: string) {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch (error) {
    throw new ElenchusError("INPUT_UNREADABLE", `${path} is no JSON: ${messageOf(error)}.`);
  }
  const { data, error } = sourcesSchema.safeParse(found);
  if (data !== undefined) return data;
  const faults = optionFaults(error, found, { schema: sourcesSchema });
  throw new ElenchusError(
    "INPUT_UNREADABLE",
    `${path} is no list of sources: ${faults.join("; ")}. Expected task -> split -> file, {"file": ...} or null.`,
  );
}

/** The folder of a root; none where its variable is not set. */
function rootFolder(root: string, folder: string): string[] {
  const variable = /^\$(\w+)/.exec(root)?.[1];
  if (variable === undefined) return [resolve(folder, root)];
  const value = process.env[variable];
  return value ? [resolve(folder, value + root.slice(variable.length + 1))] : [];
}

/** The names that a file may have for a task, the closest first. */
function namesOf({ name, dialect }: Task): string[] {
  const plain = name.replace(/@[^@]*$/, "");
  const bare = plain.startsWith(`${dialect}:`) ? plain.slice(dialect.length + 1) : plain;
  return [...new Set([name, plain, bare])];
}

/** The entry of that name, else the longest beginning that ends in `*`. */
function ownEntry<Entry>(entries: Readonly<Record<string, Entry>>, name: string): Entry | undefined {
  if (Object.hasOwn(entries, name)) return entries[name];
  const beginnings = Object.keys(entries).filter(
    (key) => key.endsWith("*") && name.startsWith(key.slice(0, -1)),
  );
  const longest = beginnings.sort((one, other) => other.length - one.length)[0];
  return longest === undefined ? undefined : entries[longest];
}

function splitSource(
  source: string | z.output<typeof fileEntry>,
  roots: readonly string[],
  task: Task,
): SplitSource {
  const { file, form, fields, where } = typeof source === "string" ? { file: source } : { ...source };
  const values = Object.entries(where ?? {}).map(([key, value]) => [
    key,
    value === "$config" ? task.data.config : value,
  ]);
  return {
    files: roots.map((root) => join(root, file)),
    form,
    fields,
    ...(where !== undefined && { where: Object.fromEntries(values) }),
  };
}
