/** How an evaluator ended. Empty in the CSV when it was not due. */
export const EVALUATION_STATUSES = ["ok", "partial", "failed", "timeout", "skipped", "pending"] as const;
export type EvaluationStatus = (typeof EVALUATION_STATUSES)[number];

/** The seven keys of a result as it is stored and written. */
export interface EvaluationPayload {
  evaluator: string;
  primary_metric: string;
  metrics: Record<string, number>;
  higher_is_better: Record<string, boolean>;
  metadata: Record<string, unknown>;
  artifacts: Record<string, unknown>;
  primary_value: number;
}

/** Numerator and denominator of a metric, so that clients and shards aggregate exactly. */
export interface MetricSum {
  numerator: number;
  denominator: number;
  transform: "identity" | "exp";
}

/**
 * One evaluator's part in one round: plain data, safe to send between processes. It is what `trainers`
 * hands on and `results` records.
 */
export interface EvaluationOutcome {
  /** `name` of its table, `type` unless given. */
  name: string;
  /** Registered name. */
  type: string;
  status: EvaluationStatus;
  /** Why it is not `ok`; null when it is. */
  reason: string | null;
  durationSeconds: number;
  error: { code: string; message: string } | null;
  result: EvaluationPayload | null;
  /** More columns, by metric name. */
  details: Record<string, number>;
  sums: Record<string, MetricSum>;
  sampled: { used: number; total: number } | null;
  /**
   * Names of metrics and details in the order of their columns: an object that was JSON on its way has names
   * like integers first. Absent: as the objects give them.
   */
  order?: readonly string[];
  /** `fail_on_error` of its table. */
  failOnError: boolean;
  /** Direction of the primary metric; null when nobody declared it. */
  primaryHigherIsBetter: boolean | null;
  /** True when `target` of its table is reached. */
  targetReached: boolean;
}
