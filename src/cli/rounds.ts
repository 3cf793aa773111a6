import { ElenchusError } from "../base/index.js";
import { type DueRequest, dueEvaluations, tableEntries } from "../evaluators/index.js";
import type { StandingRow } from "../results/index.js";

/** One round that is to be evaluated, and by whom. */
export interface RoundToEvaluate {
  readonly round: number;
  /** Names of the evaluators. */
  readonly names: readonly string[];
}

/** What `--rounds` asks for. */
export type RoundsWanted = "all" | "failed" | readonly number[];

/**
 * Reads `all`, `failed` or a list like `3,5`.
 * @throws USAGE
 */
export function parseRounds(text: string): RoundsWanted {
  if (text === "all" || text === "failed") return text;
  const parts = text.split(",").map((part) => part.trim());
  if (parts.every((part) => /^\d{1,9}$/.test(part))) return [...new Set(parts.map(Number))];
  throw new ElenchusError(
    "USAGE",
    `--rounds cannot be ${JSON.stringify(text)}: expected all, failed, or rounds like 3,5.`,
  );
}

/**
 * Who is to evaluate which rounds. `all`: in every round the evaluators that are due; `failed`: those that failed or
 * ran out of time there; a list: all of them in these rounds.
 * @throws USAGE for a round that has no row
 */
export function roundsToEvaluate(
  wanted: RoundsWanted,
  rows: readonly StandingRow[],
  config: unknown,
): RoundToEvaluate[] {
  const every = tableEntries(config).map(({ name }) => name);
  const last = rows.at(-1)?.round;
  if (wanted === "all") {
    return some(rows, ({ round }) => dueNames(config, { round, lastRound: round === last }));
  }
  if (wanted === "failed") {
    return some(rows, ({ statuses }) => every.filter((name) => FAILURES.has(statuses.get(name) ?? "")));
  }
  const absent = wanted.filter((round) => !rows.some((row) => row.round === round));
  if (absent.length > 0) {
    throw new ElenchusError(
      "USAGE",
      `--rounds names ${absent.join(", ")}, but the run has rows of ${shownRounds(rows)} only.`,
    );
  }
  return some(
    rows.filter(({ round }) => wanted.includes(round)),
    () => every,
  );
}

const FAILURES = new Set(["failed", "timeout"]);

function some(
  rows: readonly StandingRow[],
  namesOf: (row: StandingRow) => readonly string[],
): RoundToEvaluate[] {
  return rows
    .map((row) => ({ round: row.round, names: namesOf(row) }))
    .filter(({ names }) => names.length > 0);
}

function dueNames(config: unknown, request: DueRequest): string[] {
  return dueEvaluations(config, request).map(({ name }) => name);
}

function shownRounds(rows: readonly StandingRow[]): string {
  if (rows.length === 0) return "no round";
  const [first, last] = [rows[0]!.round, rows.at(-1)!.round];
  return first === last ? `round ${first}` : `rounds ${first} to ${last}`;
}
