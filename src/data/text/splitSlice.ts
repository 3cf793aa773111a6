import { ElenchusError } from "../../base/index.js";

/** A part of a split: its name, and from which to which row, in rows or in percent of all. */
export interface SplitSlice {
  readonly name: string;
  readonly from: SliceEnd | undefined;
  readonly to: SliceEnd | undefined;
}

/** Below zero: counted from the end. */
export interface SliceEnd {
  readonly value: number;
  readonly unit: "rows" | "percent";
}

/**
 * Reads a split as Hugging Face's `datasets` writes it: `train`, `train[:1000]`, `train[10%:20%]`.
 * @throws DATA_INVALID for anything else
 */
export function parseSplit(text: string): SplitSlice {
  const match = /^([\w.-]+)(?:\[(?:(-?\d+)(%)?)?:(?:(-?\d+)(%)?)?\])?$/.exec(text);
  if (match === null) {
    throw new ElenchusError(
      "DATA_INVALID",
      `${JSON.stringify(text)} is no split. Expected a name, perhaps with a part of it: train, train[:1000], train[10%:20%].`,
      { details: { field: "split" } },
    );
  }
  const [, name, from, fromPercent, to, toPercent] = match;
  const end = (value: string | undefined, percent: string | undefined): SliceEnd | undefined =>
    value === undefined
      ? undefined
      : { value: Number(value), unit: percent === undefined ? "rows" : "percent" };
  return { name: name!, from: end(from, fromPercent), to: end(to, toPercent) };
}

/** So many first rows are all that a part needs; undefined where it needs all to be counted. */
export function rowsNeeded({ to, from }: SplitSlice): number | undefined {
  const counted = (end: SliceEnd | undefined) => end === undefined || (end.unit === "rows" && end.value >= 0);
  return to !== undefined && counted(to) && counted(from) ? to.value : undefined;
}

/** Cuts the part out of rows, which begin with the split's first. Percents round to the nearest row. */
export function sliceRows<T>(rows: readonly T[], { from, to }: SplitSlice): T[] {
  const place = (end: SliceEnd | undefined, otherwise: number) => {
    if (end === undefined) return otherwise;
    return end.unit === "rows" ? end.value : Math.round((end.value * rows.length) / 100);
  };
  return rows.slice(place(from, 0), place(to, rows.length));
}
