import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { ElenchusError, messageOf } from "../../base/index.js";
import { loadDataset, readTable, type TableRow } from "../../data/index.js";
import type { HubEnvironment } from "../../hub/index.js";
import type { Task, TaskRows } from "../task.js";
import { firstFile, localPlaces } from "./localFiles.js";
import { rowForms } from "./rowForms.js";
import { readSources, type Sources, type SplitSource } from "./sourcesFile.js";

/** Where rows are looked for. With a folder or a list of sources nothing is fetched. */
export interface RowOptions {
  /** A folder with data sets in it, or with a `sources.json`. */
  readonly dataDir?: string | undefined;
  /** A `sources.json` elsewhere; its paths are relative to `dataDir`, or else to itself. */
  readonly sources?: string | undefined;
  /** The hub that is asked where neither is given. Default: as the environment says. */
  readonly hub?: HubEnvironment | undefined;
}

/** The rows of a task, and what of it was not there. */
export interface LoadedRows {
  readonly rows: TaskRows;
  /** Splits that are evaluated as a rule, and of which there was no file. */
  readonly missing: readonly string[];
  /** Files and data sets the rows are from. */
  readonly from: readonly string[];
}

/** Loads rows, each file once. */
export interface RowLoader {
  /**
   * @param examples whether rows to take examples from are wanted
   * @throws INPUT_UNREADABLE or an error of the hub, listing what was looked for and where; DATA_INVALID
   */
  load(task: Task, examples: boolean): Promise<LoadedRows>;
}

/** @throws INPUT_UNREADABLE for a list of sources that is none */
export async function createRowLoader(options: RowOptions): Promise<RowLoader> {
  const { dataDir } = options;
  const ownList = dataDir === undefined ? undefined : await firstFile([join(dataDir, "sources.json")]);
  const path = options.sources ?? ownList;
  const sources = path === undefined ? undefined : await readSources(path, dataDir);
  const tables = new Map<string, Promise<TableRow[]>>();
  const table = (key: string, read: () => Promise<TableRow[]>) => {
    const known = tables.get(key) ?? read();
    tables.set(key, known);
    return known;
  };
  const split = (task: Task, name: string): Promise<FoundSplit> =>
    task.data.rows !== undefined
      ? ownSplit(task, name, task.data.rows)
      : dataDir === undefined && sources === undefined
        ? hubSplit(task, name, options.hub, table)
        : localSplit({ task, name, dataDir, sources }, table);

  return {
    async load(task, examples) {
      const { evaluated, pool } = task.data;
      const found = await splits(evaluated, (name) => split(task, name));
      const first = found.splits.find((one) => one !== undefined && one !== null);
      if (first === undefined) throw notFound(task, evaluated, found.looked);
      const present = found.splits.filter((one) => one !== undefined && one !== null);
      const rows = present.length === 1 ? first.rows : present.flatMap((one) => [...one.rows]);
      const examplesFrom = examples ? await examplePool(task, pool, (name) => split(task, name)) : undefined;
      const same = examplesFrom === undefined || evaluated.includes(examplesFrom.name);
      return {
        rows: { evaluated: rows, pool: same ? rows : examplesFrom.rows },
        missing: evaluated.filter(
          (_, place) => found.splits[place] === undefined || found.splits[place] === null,
        ),
        from: [...present.map(({ from }) => from), ...(same ? [] : [examplesFrom.from])],
      };
    },
  };
}

/** Rows of a split; null where there is none by what the sources say; undefined and all the places where none was found. */
type FoundSplit = {
  readonly split: Split | null | undefined;
  readonly looked: readonly string[];
  cause?: unknown;
};
interface Split {
  readonly name: string;
  readonly rows: readonly TableRow[];
  readonly from: string;
}
type Tables = (key: string, read: () => Promise<TableRow[]>) => Promise<TableRow[]>;

async function splits(names: readonly string[], find: (name: string) => Promise<FoundSplit>) {
  const found: FoundSplit[] = [];
  for (const name of names) found.push(await find(name));
  return { splits: found.map(({ split }) => split), looked: found };
}

/** The first split of the pool that there is; one that should be there and is not is an error. */
async function examplePool(
  task: Task,
  pool: readonly string[],
  find: (name: string) => Promise<FoundSplit>,
): Promise<Split> {
  for (const name of pool) {
    const found = await find(name);
    if (found.split) return found.split;
    if (found.split === undefined) throw notFound(task, [name], [found]);
  }
  throw notFound(task, pool, []);
}

async function ownSplit(
  task: Task,
  name: string,
  find: NonNullable<Task["data"]["rows"]>,
): Promise<FoundSplit> {
  const rows = await find(name);
  return { split: rows === undefined ? null : { name, rows, from: task.name }, looked: [] };
}

async function localSplit(
  request: { task: Task; name: string; dataDir: string | undefined; sources: Sources | undefined },
  table: Tables,
): Promise<FoundSplit> {
  const { task, name, dataDir, sources } = request;
  const places = dataDir === undefined ? [] : localPlaces(dataDir, task, name);
  const file = await firstFile(places);
  if (file !== undefined) {
    const rows = await table(file, () => rowsOf(file));
    return { split: { name, rows, from: file }, looked: [] };
  }
  const source = sources?.find(task, name);
  if (source === null) return { split: null, looked: [] };
  if (source === undefined) {
    const looked = sources === undefined ? places : [...places, `${sources.path} (has no ${name} for it)`];
    return { split: undefined, looked };
  }
  const listed = await firstFile(source.files);
  if (listed === undefined) return { split: undefined, looked: [...places, ...source.files] };
  const all = await table(listed, () => rowsOf(listed));
  return { split: { name, rows: reshaped(all, source), from: listed }, looked: [] };
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

/** The branch on which the hub keeps parquet files of data sets that are programs. */
const CONVERTED = "refs/convert/parquet";

async function hubSplit(
  { data }: Task,
  name: string,
  hub: HubEnvironment | undefined,
  table: Tables,
): Promise<FoundSplit> {
  const looked: string[] = [];
  let cause: unknown;
  for (const repository of data.repositories) {
    for (const revision of [data.revision, ...(data.revision === undefined ? [CONVERTED] : [])]) {
      const request = { name: repository, config: data.config, split: name, revision };
      const from = `data set ${repository}${data.config === undefined ? "" : `, configuration ${data.config}`}${revision === undefined ? "" : ` at ${revision}`}, split ${name}`;
      try {
        const rows = await table(from, async () => [...(await loadDataset(request, hub)).rows]);
        return { split: { name, rows, from }, looked };
      } catch (error) {
        if (!(error instanceof ElenchusError)) throw error;
        cause ??= error;
        looked.push(`${from}: ${messageOf(error)}`);
      }
    }
  }
  return { split: undefined, looked, cause };
}

function notFound(task: Task, names: readonly string[], found: readonly FoundSplit[]): ElenchusError {
  const looked = found.flatMap((one) => one.looked);
  const cause = found.find((one) => one.cause !== undefined)?.cause;
  const code = cause instanceof ElenchusError ? cause.code : "INPUT_UNREADABLE";
  const places =
    looked.length === 0
      ? " It is part of a bundle of files and on no hub: give the bundle's folder with --data-dir."
      : ` Looked for:\n${byStem(looked).join("\n")}\nPut the rows at one of these places, name a file in sources.json, or leave out --data-dir to fetch them.`;
  return new ElenchusError(code, `${task.name} finds no rows for its split ${names.join(", ")}.${places}`, {
    details: { task: task.name, splits: [...names], looked },
    ...(cause !== undefined && { cause }),
  });
}

/** Paths that only differ in how they end, on one line. */
function byStem(paths: readonly string[]): string[] {
  const stems = new Map<string, string[]>();
  for (const path of paths) {
    const [, stem = path, end] = /^(.*[/\\][^/\\.]+)\.([a-z]+(?:\.gz)?)$/.exec(path) ?? [];
    stems.set(stem, [...(stems.get(stem) ?? []), ...(end === undefined ? [] : [end])]);
  }
  return [...stems].map(([stem, ends]) =>
    ends.length < 2 ? `  ${[stem, ...ends].join(".")}` : `  ${stem}.{${ends.join(",")}}`,
  );
}
