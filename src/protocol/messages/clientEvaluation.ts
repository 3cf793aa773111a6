import { z } from "zod";
import { text } from "./fields.js";

/** Numbers of one evaluator that a report may hold. */
export const MOST_METRICS = 1000;
/** Evaluators of which a report may speak. */
export const MOST_EVALUATIONS = 100;
/** Characters of the name of an evaluator or a metric. */
export const LONGEST_NAME = 500;

const name = z.string().min(1).max(LONGEST_NAME);

/** A number that an evaluator found on a client. Names are values here, never keys. */
export const clientMetricSchema = z.strictObject({
  name,
  value: z.number(),
  /** Null where nobody said. */
  higher_is_better: z.boolean().nullable(),
  /** What adds up exactly over clients; null where nothing does. */
  sum: z
    .strictObject({
      numerator: z.number(),
      denominator: z.number().nonnegative(),
      transform: z.enum(["identity", "exp"]),
    })
    .nullable(),
});

export type ClientMetric = z.output<typeof clientMetricSchema>;

/** What came of an evaluator on a client's local model; metadata and artifacts stay there. */
export const clientEvaluationSchema = z.strictObject({
  /** `name` of its table. */
  name,
  status: z.enum(["ok", "partial", "failed", "timeout", "skipped", "pending"]),
  /** Why it is not `ok`; null when it is. */
  reason: text.nullable(),
  /** Code of the error, where there was one. */
  code: z.string().min(1).max(100).nullable(),
  /** None where it failed. */
  metrics: z.array(clientMetricSchema).max(MOST_METRICS),
});

export type ClientEvaluation = z.output<typeof clientEvaluationSchema>;
