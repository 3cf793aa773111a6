import type { EvaluationPayload, MetricSum } from "./evaluationOutcome.js";
import { checkedFields, RESULT_MARK } from "./resultFields.js";

/** Values by name, as a plain object or a Map. Names are data: any string will do. */
export type Named<T> = Readonly<Record<string, T>> | ReadonlyMap<string, T>;

/** What an `EvaluationResult` is made from; an evaluator may also return just this. */
export interface EvaluationResultInit {
  /** Who measured; not empty. */
  readonly evaluator: string;
  /** The metric that stands for the whole result; a key of `metrics`. */
  readonly primaryMetric: string;
  /** Finite numbers by metric name. What does not exist is left out. */
  readonly metrics: Named<number>;
  /** Direction by metric name; keys of `metrics`. */
  readonly higherIsBetter?: Named<boolean> | undefined;
  /** Anything JSON can carry: settings, raw outputs, counts. */
  readonly metadata?: Named<unknown> | undefined;
  /** JSON values that deserve a file of their own. */
  readonly artifacts?: Named<unknown> | undefined;
  /** More columns for the record, finite numbers by name; not part of the payload. */
  readonly details?: Named<number> | undefined;
  /** Exact numerators and denominators of metrics or details, for aggregation over clients and shards. */
  readonly sums?: Named<MetricSum> | undefined;
  /**
   * How far metrics or details may be off by chance: standard errors, from 0. Where the table says `confidence`, they
   * become columns `_ci_low` and `_ci_high`; not part of the payload.
   */
  readonly standardErrors?: Named<number> | undefined;
  /** How many examples were used of how many; fewer than all make the status `partial`. */
  readonly sampled?: { readonly used: number; readonly total: number } | null | undefined;
  /** Why the status is `partial` where `sampled` does not tell: rows or files that were left out. */
  readonly partial?: string | null | undefined;
  /**
   * Names of metrics and details in the order of their columns. Default: as `metrics` and `details` give them,
   * which for names like integers a plain object cannot: JavaScript puts those first.
   */
  readonly order?: readonly string[] | undefined;
}

/**
 * What an evaluator found. Checks itself when it is made, keeps deep copies and never changes.
 * @throws RESULT_INVALID naming the field, what was found and what was expected
 */
export class EvaluationResult {
  static {
    // Results of another copy of this package are recognised by this mark, not by `instanceof`.
    Object.defineProperty(EvaluationResult.prototype, RESULT_MARK, { value: true });
  }

  readonly evaluator: string;
  readonly primaryMetric: string;
  readonly metrics: Readonly<Record<string, number>>;
  readonly higherIsBetter: Readonly<Record<string, boolean>>;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly artifacts: Readonly<Record<string, unknown>>;
  readonly details: Readonly<Record<string, number>>;
  readonly sums: Readonly<Record<string, Readonly<MetricSum>>>;
  readonly standardErrors: Readonly<Record<string, number>>;
  readonly sampled: { readonly used: number; readonly total: number } | null;
  readonly partial: string | null;
  /** Every name of `metrics` and `details`, once, in the order of the columns. */
  readonly order: readonly string[];

  constructor(init: EvaluationResultInit) {
    const fields = checkedFields(init);
    this.evaluator = fields.evaluator;
    this.primaryMetric = fields.primaryMetric;
    this.metrics = fields.metrics;
    this.higherIsBetter = fields.higherIsBetter;
    this.metadata = fields.metadata;
    this.artifacts = fields.artifacts;
    this.details = fields.details;
    this.sums = fields.sums;
    this.standardErrors = fields.standardErrors;
    this.sampled = fields.sampled;
    this.partial = fields.partial;
    this.order = fields.order;
  }

  /**
   * The result that an evaluator returned: one of these, of any copy of the package, or a plain object with
   * the constructor's fields. Either is checked anew.
   * @throws RESULT_INVALID for anything else
   */
  static from(returned: unknown): EvaluationResult {
    return new EvaluationResult(returned as EvaluationResultInit);
  }

  /** `metrics[primaryMetric]`. */
  get primaryValue(): number {
    return this.metrics[this.primaryMetric]!;
  }

  /** The seven keys as they are stored and written: a deep copy, empty maps kept. */
  toPayload(): EvaluationPayload {
    return structuredClone({
      evaluator: this.evaluator,
      primary_metric: this.primaryMetric,
      metrics: this.metrics,
      higher_is_better: this.higherIsBetter,
      metadata: this.metadata,
      artifacts: this.artifacts,
      primary_value: this.primaryValue,
    });
  }

  /** The payload, for `JSON.stringify`. */
  toJSON(): EvaluationPayload {
    return this.toPayload();
  }
}
