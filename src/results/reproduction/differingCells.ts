import type { CellValue, Table } from "../readTable.js";
import type { ColumnFacts } from "./timeColumns.js";
import { isTime } from "./timeColumns.js";

/** A cell that came out otherwise the second time; null where there is no such row, column or value. */
export interface CellDifference {
  readonly round: number;
  readonly column: string;
  readonly recorded: CellValue;
  readonly reproduced: CellValue;
}

/** A run's rows, and what its manifest says of them. */
export interface RowsOfRun {
  readonly table: Table;
  /** The round of the first row, where the rows do not say. */
  readonly firstRound: number | null;
  readonly columns: Readonly<Record<string, ColumnFacts>>;
}

/** What two runs have in common, and where they differ. */
export interface Reproduction {
  /** By round, then in the order of the recorded columns. A missing row is a difference of its column `round`. */
  readonly differences: readonly CellDifference[];
  readonly rounds: number;
  readonly compared: readonly string[];
  /** Times, which no run has twice. */
  readonly left: readonly string[];
}

/**
 * Compares a run's rows with those of its repetition, to the bit, in every column but times.
 * @param except recorded columns that the repetition cannot have
 */
export function differingCells(
  recorded: RowsOfRun,
  reproduced: RowsOfRun,
  except: ReadonlySet<string> = new Set(),
): Reproduction {
  const facts = { ...reproduced.columns, ...recorded.columns };
  const columns = [...new Set([...recorded.table.columns, ...reproduced.table.columns])].filter(
    (column) => !except.has(column),
  );
  const [left, compared] = [true, false].map((time) =>
    columns.filter((column) => isTime(column, facts[column]) === time),
  ) as [string[], string[]];
  const before = byRound(recorded);
  const after = byRound(reproduced);
  const rounds = [...new Set([...before.keys(), ...after.keys()])].sort((a, b) => a - b);
  const differences = rounds.flatMap((round): CellDifference[] => {
    const [a, b] = [before.get(round), after.get(round)];
    if (a === undefined || b === undefined) {
      const [was, is] = [a, b].map((row) => (row === undefined ? null : round));
      return [{ round, column: "round", recorded: was!, reproduced: is! }];
    }
    return compared.flatMap((column) => {
      const [was, is] = [a.get(column) ?? null, b.get(column) ?? null];
      return Object.is(was, is) ? [] : [{ round, column, recorded: was, reproduced: is }];
    });
  });
  return { differences, rounds: rounds.length, compared, left };
}

function byRound({ table, firstRound }: RowsOfRun): Map<number, Table["rows"][number]> {
  return new Map(
    table.rows.map((row, place) => [Number(row.get("round") ?? (firstRound ?? 1) + place), row]),
  );
}
