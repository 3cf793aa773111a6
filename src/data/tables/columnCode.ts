import type { CsvRow } from "./csvTable.js";

/** How the values of one column become inputs; learnt from the training rows alone. */
export interface ColumnCode {
  /** Inputs that the column becomes. */
  readonly width: number;
  /** Writes the inputs of a value from `start` on. @returns what is wrong with it, if anything */
  write(value: string, missing: boolean, inputs: Float32Array, start: number): string | undefined;
}

/** What is learnt from. */
export interface ColumnRequest {
  readonly rows: readonly CsvRow[];
  readonly place: number;
  readonly isMissing: (value: string) => boolean;
  readonly standardise: boolean;
}

/** Whether every value that is there is a number, and there is one. */
export function isNumeric({ rows, place, isMissing }: ColumnRequest): boolean {
  let any = false;
  for (const { values } of rows) {
    const value = values[place]!;
    if (isMissing(value)) continue;
    if (!Number.isFinite(numberOf(value))) return false;
    any = true;
  }
  return any;
}

/** A number as people write it; NaN for anything else. */
export function numberOf(value: string): number {
  const text = value.trim();
  return NUMBER.test(text) ? Number(text) : Number.NaN;
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/**
 * One input: the number, less the mean of the training rows and divided by their standard deviation (of the population;
 * 1 where all are alike). What is missing gets the mean.
 */
export function numericCode({ rows, place, isMissing, standardise }: ColumnRequest): ColumnCode {
  const known = rows.flatMap(({ values }) => (isMissing(values[place]!) ? [] : numberOf(values[place]!)));
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  const variance = known.reduce((sum, value) => sum + (value - mean) ** 2, 0) / known.length;
  const [shift, scale] = standardise ? [mean, Math.sqrt(variance) || 1] : [0, 1];
  return {
    width: 1,
    write(value, missing, inputs, start) {
      const number = missing ? mean : numberOf(value);
      inputs[start] = (number - shift) / scale;
      return Number.isFinite(inputs[start]!) ? undefined : "a number, as all values of the training rows are";
    },
  };
}

/** The most categories of a column: with more it is rather a name or a text. */
export const MOST_CATEGORIES = 1000;

/**
 * An input for each category of the training rows, by name: 1 for that of the value, 0 for the others. All are 0 for a
 * category that was not seen in training, and where the value is missing.
 */
export function categoryCode({ rows, place, isMissing }: ColumnRequest): ColumnCode {
  const seen = new Set<string>();
  for (const { values } of rows) if (!isMissing(values[place]!)) seen.add(values[place]!.trim());
  const places = new Map([...seen].sort().map((category, index) => [category, index]));
  return {
    width: places.size,
    write(value, missing, inputs, start) {
      const index = missing ? undefined : places.get(value.trim());
      if (index !== undefined) inputs[start + index] = 1;
      return undefined;
    },
  };
}
