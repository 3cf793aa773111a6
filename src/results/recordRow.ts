import { z } from "zod";
import { ElenchusError } from "../base/index.js";
import { type ClientMetrics, EVALUATION_STATUSES, type EvaluationOutcome } from "../evaluators/index.js";
import type { Score } from "../weights/index.js";

/** What an evaluator found on clients. */
export interface ClientEvaluations {
  /** `name` of its table. */
  name: string;
  metrics: readonly ClientMetrics[];
}

/** One round as the server hands it over. Plain data: it also travels in the checkpoint. */
export interface RoundRecord {
  /** From 1; 0 is the untrained model. */
  round: number;
  /** Items by column name: `round`, `accuracy`, `elapsed_time`, ... Absent or null: an empty cell. */
  items: Record<string, number | string | null>;
  /** In table order. */
  evaluations: EvaluationOutcome[];
  /** Of evaluators that ran on clients, aggregated over them. Absent: none did. */
  clientEvaluations?: ClientEvaluations[];
  /** Scalar of each client that tested, for `<run_id>_accuracy.csv`. */
  clients: { clientId: number; metric: string; value: number }[];
  /** The test scalar that `accuracy` carries, with its own name and direction; decides which checkpoint is best. */
  scalar?: Score | null;
}

/**
 * Checks a row that comes back from a checkpoint; the value itself is returned.
 * @throws CHECKPOINT_INVALID
 */
export function roundRecord(value: unknown): RoundRecord {
  const parsed = schema.safeParse(value);
  if (parsed.success) return value as RoundRecord;
  throw new ElenchusError(
    "CHECKPOINT_INVALID",
    `The row in the checkpoint has faults: ${z.prettifyError(parsed.error)}. Use another checkpoint.`,
    { cause: parsed.error },
  );
}

// `z.record` would lose the key `__proto__`; what the values are, cells decide.
const mapSchema = z.custom<object>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
);

const schema = z.object({
  round: z.int().nonnegative(),
  items: mapSchema,
  evaluations: z.array(
    z.object({
      name: z.string(),
      type: z.string(),
      status: z.enum(EVALUATION_STATUSES),
      durationSeconds: z.number(),
      error: z.object({ code: z.string(), message: z.string() }).nullable(),
      result: z
        .object({
          primary_metric: z.string(),
          metrics: mapSchema,
          higher_is_better: mapSchema,
          artifacts: mapSchema,
        })
        .nullable(),
      details: mapSchema,
      order: z.array(z.string()).optional(),
    }),
  ),
  clientEvaluations: z
    .array(
      z.object({
        name: z.string(),
        metrics: z.array(z.object({ metric: z.string(), exact: z.boolean() })),
      }),
    )
    .optional(),
  clients: z.array(
    z.object({
      clientId: z.int(),
      metric: z.string(),
      value: z.custom((value) => typeof value === "number"),
    }),
  ),
});
