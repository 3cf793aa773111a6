import type { ZodType } from "zod";
import type { Tokenizer } from "../tokenizers/index.js";
import type { Inference } from "./inference.js";
import type { RowMeasure } from "./rowMeasure.js";
import type { EvaluationSettings } from "./settings.js";

/** How rows are measured. */
export interface MeasureRequest {
  readonly inference: Inference;
  readonly settings: EvaluationSettings;
  /** Of draws; the same seed gives the same answers. */
  readonly seed: number;
  readonly signal?: AbortSignal | undefined;
  /** Whether measures say what was asked and answered. Default false. */
  readonly samples?: boolean | undefined;
}

/**
 * Something to ask a language model, row by row. Do not extend this class but one of the five that say how a row is
 * measured: `RolloutEvaluation`, `EncodingEvaluation`, `PerplexityEvaluation`, `BitsPerByteEvaluation` and
 * `PerplexityComparisonEvaluation`.
 */
export abstract class Evaluation<Options = Record<string, unknown>> {
  /** A zod schema of its options, where it has any. */
  static readonly options?: ZodType;
  /** One line for lists. */
  static readonly description?: string;

  /** Its options, parsed by the class's schema; empty where it has none. */
  readonly options: Options;
  /** The model's. It is there before `get` is called. */
  tokenizer!: Tokenizer;

  /** Keep no more than the options here; what takes time belongs into `load`. */
  constructor(options: Options) {
    this.options = options;
  }

  /** Key of its result. */
  abstract readonly name: string;
  /** Rows. */
  abstract readonly length: number;
  /** The row at a place from 0. What it throws is the failure of that row alone. */
  abstract get(index: number): unknown;

  /** Whether more is better. */
  abstract readonly higherIsBetter: boolean;
  /** What makes the mean of the totals' ratio: nothing, or the exponential function. */
  abstract readonly transform: "identity" | "exp";
  /** Whether a row counts by what it adds to the totals, and not by its value. */
  readonly ofTotals: boolean = false;
  /** Unit of its value. */
  abstract readonly unit: string;
  /** Measures rows that are handed to the model together: at least one measure for each, in their order. */
  abstract measure(rows: readonly number[], request: MeasureRequest): Promise<RowMeasure[]>;

  /** Reads what the rows are made of, once, before `length` is asked for. */
  load?(): void | Promise<void>;

  /** What the name of everything of this evaluation begins with. */
  prefix(): string {
    return `${this.name}_`;
  }
}
