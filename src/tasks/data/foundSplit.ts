import { ElenchusError } from "../../base/index.js";
import type { TableRow } from "../../data/index.js";
import type { Task } from "../task.js";

/** What became of looking for a split. */
export interface FoundSplit {
  readonly name: string;
  /** Null: it is known that there is none. Undefined: there should be one, and none was found. */
  readonly rows: readonly TableRow[] | null | undefined;
  /** File or data set the rows are from. */
  readonly from?: string;
  /** Where it was looked for in vain. */
  readonly looked: readonly string[];
  /** What a hub said. */
  readonly cause?: unknown;
}

/** Reads a table once, however often it is asked for under that key. */
export type Tables = (key: string, read: () => Promise<TableRow[]>) => Promise<TableRow[]>;

/** The error for splits that were not found, with every place that was looked at. */
export function notFound(task: Task, found: readonly FoundSplit[]): ElenchusError {
  const looked = found.flatMap((one) => one.looked);
  const names = found.map(({ name }) => name);
  const cause = found.find((one) => one.cause !== undefined)?.cause;
  const code = cause instanceof ElenchusError ? cause.code : "INPUT_UNREADABLE";
  const places =
    looked.length === 0
      ? task.data.bundleFile === undefined
        ? " The sources say that there is none."
        : " It is part of a bundle of files and on no hub: give the bundle's folder with --data-dir."
      : ` Looked for:\n${byStem(looked).join("\n")}\nPut the rows at one of these places, name a file in sources.json, or leave out the folder to fetch them.`;
  return new ElenchusError(code, `${task.name} finds no rows for its split ${names.join(", ")}.${places}`, {
    details: { task: task.name, splits: names, looked, bundle: task.data.bundleFile !== undefined },
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
