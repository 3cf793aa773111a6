import { ElenchusError, messageOf } from "../base/index.js";
import type { RowSample } from "./rowSample.js";

/** What was measured of one row. Plain data, safe to send between processes. */
export interface RowMeasure {
  /** Place in the evaluation's rows. */
  readonly row: number;
  /** The row's own value; null where the row failed. */
  readonly value: number | null;
  /** What the row adds to the totals whose ratio is the mean. */
  readonly numerator: number;
  readonly denominator: number;
  /** Whether the model did not get to read all of it. */
  readonly truncated: boolean;
  /** Why it failed. */
  readonly error: { readonly code: string; readonly message: string } | null;
  /** What was asked and answered; absent unless `MeasureRequest.samples` asks for it. */
  readonly sample?: RowSample | undefined;
}

/** A row that counts by its value, once. */
export function valued(row: number, value: number, truncated = false): RowMeasure {
  if (!Number.isFinite(value)) {
    return failedRow(
      row,
      new ElenchusError("DATA_INVALID", `Its value is ${value}: expected a finite number.`),
    );
  }
  return { row, value, numerator: value, denominator: 1, truncated, error: null };
}

/** A row that could not be measured: it counts nowhere, and never for a success. */
export function failedRow(row: number, cause: unknown): RowMeasure {
  const code = cause instanceof ElenchusError ? cause.code : "EVALUATION_FAILED";
  const error = { code, message: messageOf(cause) };
  return { row, value: null, numerator: 0, denominator: 0, truncated: false, error };
}
