import { ElenchusError } from "../base/index.js";
import type { Evaluation } from "./evaluation.js";
import { ratioError } from "./ratioError.js";
import type { RowMeasure } from "./rowMeasure.js";
import type { EvaluationSettings } from "./settings.js";

/** What an evaluation found in all rows. */
export interface EvaluationReport {
  readonly name: string;
  /** Reduced as the settings say; with `none` the mean. */
  readonly value: number;
  /** By row, those of several samples one after the other; null where a row failed. */
  readonly values: readonly (number | null)[];
  /** Totals whose ratio, transformed, is the mean. */
  readonly sum: {
    readonly numerator: number;
    readonly denominator: number;
    readonly transform: "identity" | "exp";
  };
  /** Of the value, over rows; undefined for a sum and for fewer than two rows. */
  readonly standardError: number | undefined;
  readonly higherIsBetter: boolean;
  readonly unit: string;
  /** Rows that were not read to their end. */
  readonly truncated: number;
  /** What was asked and did not fail. */
  readonly measured: number;
  /** Failed rows, with the cause of each. */
  readonly failures: readonly { readonly row: number; readonly code: string; readonly message: string }[];
}

/**
 * Adds up what was measured: totals first, and one division at the end.
 * @throws DATA_INVALID where every row failed
 */
export function tally(
  evaluation: Pick<Evaluation<unknown>, "name" | "transform" | "ofTotals" | "higherIsBetter" | "unit">,
  measures: readonly RowMeasure[],
  { reduce, compat }: Pick<EvaluationSettings, "reduce" | "compat">,
): EvaluationReport {
  const { name, transform, ofTotals, higherIsBetter, unit } = evaluation;
  const failures = measures.flatMap(({ row, error }) => (error === null ? [] : [{ row, ...error }]));
  const good = measures.filter(({ error }) => error === null);
  if (good.length === 0) throw nothingMeasured(name, failures);
  const numerator = total(good.map((one) => one.numerator));
  const denominator = total(good.map((one) => one.denominator));
  const theseus = compat === "theseus";
  const ratio = numerator / (theseus ? Math.max(denominator, 1) : denominator);
  const mean = transform === "exp" ? Math.exp(ratio) : ratio;
  // Theseus takes the sum of a ratio of totals for that ratio.
  const value = reduce === "sum" && !(theseus && ofTotals) ? total(good.map((one) => one.value!)) : mean;
  if (!Number.isFinite(value)) {
    throw new ElenchusError(
      "DATA_INVALID",
      `The evaluation "${name}" gives ${value}: expected a finite number.`,
    );
  }
  return {
    name,
    value,
    values: measures.map((one) => one.value),
    sum: { numerator, denominator, transform },
    standardError: reduce === "sum" ? undefined : ratioError(good, transform),
    higherIsBetter,
    unit,
    truncated: good.filter(({ truncated }) => truncated).length,
    measured: good.length,
    failures,
  };
}

function nothingMeasured(name: string, failures: EvaluationReport["failures"]): ElenchusError {
  const [first] = failures;
  const found = first === undefined ? "it has no rows" : `every row failed, the first with: ${first.message}`;
  return new ElenchusError("DATA_INVALID", `The evaluation "${name}" has measured nothing: ${found}`);
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
