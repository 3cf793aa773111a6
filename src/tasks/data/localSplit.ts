import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { readTable, type TableRow } from "../../data/index.js";
import type { Task } from "../task.js";
import type { FoundSplit, Tables } from "./foundSplit.js";
import { firstFile, localPlaces } from "./localFiles.js";
import { rowForms } from "./rowForms.js";
import type { Sources, SplitSource } from "./sourcesFile.js";

/** Where a split is looked for on this machine: in a folder of data sets first, then in a list of sources. */
export interface LocalPlaces {
  readonly dataDir: string | undefined;
  readonly sources: Sources | undefined;
}

/** Looks for a split on this machine. @throws DATA_INVALID for a damaged file; NAME_UNKNOWN for an unknown form */
export async function localSplit(
  task: Task,
  name: string,
  { dataDir, sources }: LocalPlaces,
  table: Tables,
): Promise<FoundSplit> {
  const places = dataDir === undefined ? [] : localPlaces(dataDir, task, name);
  const file = await firstFile(places);
  if (file !== undefined) {
    return { name, rows: await table(file, () => rowsOf(file)), from: file, looked: [] };
  }
  const source = sources?.find(task, name);
  if (source === null) return { name, rows: null, looked: [] };
  if (source === undefined) {
    const said = sources === undefined ? [] : [`${sources.path} (has no ${name} for it)`];
    return { name, rows: undefined, looked: [...places, ...said] };
  }
  const listed = await firstFile(source.files);
  if (listed === undefined) return { name, rows: undefined, looked: [...places, ...source.files] };
  const all = await table(listed, () => rowsOf(listed));
  return { name, rows: reshaped(all, source), from: listed, looked: [] };
}

/** The rows of a table, the lines of a text (`.txt`), or a text as a single row (`.raw`). */
async function rowsOf(file: string): Promise<TableRow[]> {
  const end = /\.(txt|raw)(\.gz)?$/.exec(file)?.[1];
  if (end === undefined) return (await readTable(file)).map(({ row }) => row);
  const bytes = await readFile(file);
  const text = (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  const parts = end === "raw" ? [text] : text.replace(/\n$/, "").split("\n");
  return parts.map((part) => ({ text: part }));
}

function reshaped(rows: readonly TableRow[], { form, fields, where }: SplitSource): readonly TableRow[] {
  const own =
    where === undefined
      ? rows
      : rows.filter((row) => Object.entries(where).every(([key, value]) => row[key] === value));
  const formed = form === undefined ? own : rowForms.lookup(form)(own);
  if (fields === undefined) return formed;
  return formed.map((row) => ({
    ...row,
    ...Object.fromEntries(Object.entries(fields).map(([known, inFile]) => [known, row[inFile]])),
  }));
}
