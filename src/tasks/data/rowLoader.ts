import { join } from "node:path";
import { ElenchusError, silentLogger, systemClock } from "../../base/index.js";
import type { TableRow } from "../../data/index.js";
import { type HubEnvironment, hubSettings } from "../../hub/index.js";
import type { Task, TaskRows } from "../task.js";
import { excerptOf } from "./excerpts.js";
import { type FoundSplit, notFound, type Tables } from "./foundSplit.js";
import { hubSplit } from "./hubSplit.js";
import { firstFile } from "./localFiles.js";
import { localSplit } from "./localSplit.js";
import { readSources } from "./sourcesFile.js";

/** Where rows are looked for. With a folder or a list of sources nothing is fetched. */
export interface RowOptions {
  /** A folder with data sets in it, or with a `sources.json`. */
  readonly dataDir?: string | undefined;
  /** A `sources.json` elsewhere; its paths are relative to `dataDir`, or else to itself. */
  readonly sources?: string | undefined;
  /** The hub that is asked where neither is given, before the excerpts. Default: as the environment says. */
  readonly hub?: HubEnvironment | undefined;
}

/** The rows of a task, and what of it was not there. */
export interface LoadedRows {
  readonly rows: TaskRows;
  /** Splits that are evaluated as a rule, and that this folder or list does not have: the result is partial. */
  readonly missing: readonly string[];
  /** Files and data sets the rows are from. */
  readonly from: readonly string[];
  /** The rows are the excerpt that comes with the package, as nothing else could be had: the result is partial. */
  readonly excerpt: boolean;
}

/**
 * Loads rows, each file once: from the folder or the list of sources, where there is one, and from nowhere else; or from
 * the hub; or, where the hub is out of reach and the rows are not in its cache, from the excerpts of the package.
 */
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
  let hub = options.hub ?? {
    settings: hubSettings(process.env),
    logger: silentLogger,
    clock: systemClock,
  };
  const ownList = dataDir === undefined ? undefined : await firstFile([join(dataDir, "sources.json")]);
  const path = options.sources ?? ownList;
  const sources = path === undefined ? undefined : await readSources(path, dataDir);
  const local = dataDir !== undefined || sources !== undefined;
  const table = keptTables();

  const find = async (task: Task, name: string): Promise<FoundSplit> => {
    if (task.data.rows !== undefined) {
      return { name, rows: (await task.data.rows(name)) ?? null, from: task.name, looked: [] };
    }
    return local
      ? await localSplit(task, name, { dataDir, sources }, table)
      : await hubSplit(task, name, hub, table);
  };

  return {
    async load(task, examples) {
      try {
        return { ...(await loadRows(task, { examples, local, find })), excerpt: false };
      } catch (error) {
        if (local || !isOutOfReach(error, hub)) throw error;
        // What is in the cache is still found; nobody waits for the network again.
        hub = { ...hub, settings: { ...hub.settings, offline: true } };
        const excerpt = await excerptOf(task);
        if (excerpt === undefined) throw error;
        const inPackage = (one: Task, name: string) =>
          localSplit(one, name, { dataDir: undefined, sources: excerpt }, table);
        return { ...(await loadRows(task, { examples, local: true, find: inPackage })), excerpt: true };
      }
    },
  };
}

/** Nothing came from the hub because nothing could; what a hub refuses, or does not have, is another matter. */
function isOutOfReach(error: unknown, { settings }: HubEnvironment): boolean {
  if (!(error instanceof ElenchusError) || !Array.isArray(error.details.looked)) return false;
  if (error.code === "HUB_UNREACHABLE" || error.details.bundle === true) return true;
  return settings.offline && error.code === "HUB_NOT_FOUND";
}

interface Places {
  readonly examples: boolean;
  /** Whether splits may be missing. */
  readonly local: boolean;
  find(task: Task, name: string): Promise<FoundSplit>;
}

async function loadRows(task: Task, { examples, local, find }: Places): Promise<Omit<LoadedRows, "excerpt">> {
  const found: FoundSplit[] = [];
  for (const name of task.data.evaluated) found.push(await find(task, name));
  const present = found.filter(isPresent);
  // A folder may hold a part of what is evaluated; a hub that has not answered is another matter.
  const enough = present.length > 0 && (local || found.every(({ rows }) => rows !== undefined));
  if (!enough)
    throw notFound(
      task,
      found.filter((one) => !isPresent(one)),
    );
  const evaluated = present.length === 1 ? present[0]!.rows : present.flatMap(({ rows }) => rows);
  const pool = examples ? await examplePool(task, (name) => find(task, name)) : undefined;
  const own = pool === undefined || task.data.evaluated.includes(pool.name);
  return {
    rows: { evaluated, pool: own ? evaluated : pool.rows },
    missing: found.filter((one) => !isPresent(one)).map(({ name }) => name),
    from: [...present, ...(own ? [] : [pool])].flatMap(({ from = [] }) => from),
  };
}

type PresentSplit = FoundSplit & { readonly rows: readonly TableRow[] };

function isPresent(split: FoundSplit): split is PresentSplit {
  return split.rows !== undefined && split.rows !== null;
}

/** The first split to take examples from that there is; one that should be there and is not is an error. */
async function examplePool(task: Task, find: (name: string) => Promise<FoundSplit>): Promise<PresentSplit> {
  const absent: FoundSplit[] = [];
  for (const name of task.data.pool) {
    const found = await find(name);
    if (isPresent(found)) return found;
    absent.push(found);
    if (found.rows === undefined) break;
  }
  throw notFound(task, absent);
}

function keptTables(): Tables {
  const tables = new Map<string, Promise<TableRow[]>>();
  return (key, read) => {
    const known = tables.get(key);
    if (known !== undefined) return known;
    const rows = read();
    tables.set(key, rows);
    // What has failed may be asked for again.
    rows.catch(() => tables.delete(key));
    return rows;
  };
}
