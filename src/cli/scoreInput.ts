import { InvalidArgumentError } from "commander";
import { ElenchusError } from "../base/index.js";
import { tableRows } from "../data/index.js";
import type { ScorerRow } from "../scoring/index.js";

/** A column that takes another name before scorers see it. */
export interface Renaming {
  from: string;
  to: string;
}

/** Parses `a=b`: the file's column a becomes b. */
export function renaming(text: string): Renaming {
  const cut = text.indexOf("=");
  if (cut < 1 || cut === text.length - 1) {
    throw new InvalidArgumentError(`expected COLUMN=NEW_NAME, found ${JSON.stringify(text)}.`);
  }
  return { from: text.slice(0, cut), to: text.slice(cut + 1) };
}

/**
 * The rows of a file for a scorer, one after the other, its columns renamed.
 * @throws INPUT_UNREADABLE, at the end, where no row at all has a column that is needed or was to be renamed
 */
export async function* scoreInput(
  file: string,
  renamings: readonly Renaming[],
  columns: readonly string[],
): AsyncGenerator<ScorerRow> {
  const needed = new Set([...renamings.map(({ from }) => from), ...columns]);
  for (const { to } of renamings) needed.delete(to);
  const present = new Set<string>();
  let count = 0;
  for await (const { row } of tableRows(file)) {
    count++;
    for (const column of needed) {
      if (!Object.hasOwn(row, column)) continue;
      needed.delete(column);
    }
    if (needed.size > 0) for (const column of Object.keys(row)) present.add(column);
    yield renamed(row, renamings);
  }
  if (count === 0 || needed.size === 0) return;
  throw new ElenchusError(
    "INPUT_UNREADABLE",
    `${file} has no column ${[...needed].join(", ")}. It has ${[...present].join(", ") || "none"}; ` +
      "--rename OLD=NEW gives a column the name that is expected.",
    { details: { file, missing: [...needed] } },
  );
}

function renamed(row: ScorerRow, renamings: readonly Renaming[]): ScorerRow {
  if (renamings.length === 0) return row;
  const names = new Map(renamings.map(({ from, to }) => [from, to]));
  const targets = new Set(names.values());
  return Object.fromEntries(
    Object.entries(row)
      .filter(([column]) => names.has(column) || !targets.has(column))
      .map(([column, value]) => [names.get(column) ?? column, value]),
  );
}
