import type { Run } from "../../api/runs.js";
import { uncertainties } from "./columns.js";

/** A metric in one round, and where it may lie; the bounds are absent where nobody knows. */
export interface Point {
  readonly round: number;
  readonly value: number;
  readonly low?: number;
  readonly high?: number;
}

/** A metric of one run over its rounds. */
export interface Series {
  readonly run: string;
  readonly points: readonly Point[];
}

/** Standard errors to each side that hold the true value with a chance of 95 %. */
const NORMAL_95 = 1.959964;

/** A column of a run. Rounds in which it was not measured have no point. */
export function seriesOf(run: Run, column: string): Series {
  const at = run.columns.indexOf(column);
  const roundAt = run.columns.indexOf("round");
  const bound = boundsOf(run, column);
  const points = run.rows.flatMap((row, place): Point[] => {
    const value = row[at];
    if (typeof value !== "number") return [];
    const round = roundAt < 0 ? run.from + place + 1 : Number(row[roundAt]);
    const [low, high] = bound(row, value);
    const known = low !== undefined && high !== undefined;
    return [{ round, value, ...(known && { low, high }) }];
  });
  return { run: run.run_id, points };
}

type Bounds = readonly [number | undefined, number | undefined];

function boundsOf(run: Run, column: string): (row: Run["rows"][number], value: number) => Bounds {
  const how = uncertainties(run.columns).get(column);
  if (how === undefined) return () => [undefined, undefined];
  const number = (row: Run["rows"][number], name: string) => {
    const cell = row[run.columns.indexOf(name)];
    return typeof cell === "number" ? cell : undefined;
  };
  if (how.kind === "interval") return (row) => [number(row, how.low), number(row, how.high)];
  return (row, value) => {
    const error = number(row, how.error);
    return error === undefined
      ? [undefined, undefined]
      : [value - NORMAL_95 * error, value + NORMAL_95 * error];
  };
}

/**
 * Which way a metric is better, as far as runs say: undefined where none does. Runs may disagree, as on `accuracy`, which
 * of a language model is its perplexity: then each has a way of its own, and there is none in common.
 */
export function directionOf(said: readonly (boolean | null | undefined)[]): {
  readonly common: boolean | undefined;
  readonly mixed: boolean;
} {
  const ways = new Set(said.filter((one) => one !== undefined && one !== null));
  return { common: ways.size === 1 ? [...ways][0] : undefined, mixed: ways.size > 1 };
}

/** The best point in a metric's direction; the last where nobody says which way is better. */
export function bestOf({ points }: Series, higher: boolean | null | undefined): Point | undefined {
  if (higher === null || higher === undefined) return points.at(-1);
  let best: Point | undefined;
  for (const point of points) {
    if (best === undefined || (higher ? point.value > best.value : point.value < best.value)) best = point;
  }
  return best;
}
