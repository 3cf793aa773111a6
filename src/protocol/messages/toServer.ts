import { z } from "zod";
import { clientEvaluationSchema, MOST_EVALUATIONS } from "./clientEvaluation.js";
import { clientId, round, text } from "./fields.js";
import { transferSchema } from "./transfer.js";

/** How far training is. May be lost without harm. */
export const progressSchema = z.strictObject({
  round,
  client_id: clientId,
  /** Steps done and to do. */
  done: z.int().nonnegative(),
  total: z.int().nonnegative(),
  /** Null where there is none, or it is not finite. */
  loss: z.number().nullable(),
});

export type Progress = z.output<typeof progressSchema>;

/** Training is over; the update follows as chunks. */
export const reportSchema = z.strictObject({
  round,
  client_id: clientId,
  /** Rows trained on: the weight of the update. */
  num_samples: z.number().nonnegative(),
  /** Mean loss of the last local epoch; null where there is none, or it is not finite. */
  train_loss: z.number().nullable(),
  /** Seconds. */
  training_time: z.number().nonnegative(),
  /** Seconds that processors of the payload took, where there are any. */
  processing_time: z.number().nonnegative().optional(),
  /** Result of the local test, when the assignment asked for one; a value that is not finite is null. */
  scalar: z
    .strictObject({
      name: z.string().min(1).max(200),
      value: z.number().nullable(),
      higher_is_better: z.boolean(),
    })
    .nullable(),
  /** Of evaluators that run on clients, where any was due. */
  evaluations: z.array(clientEvaluationSchema).max(MOST_EVALUATIONS).optional(),
  transfer: transferSchema,
});

export type Report = z.output<typeof reportSchema>;

/** The client cannot do its part of the round. */
export const failedSchema = z.strictObject({
  round,
  client_id: clientId,
  code: z.string().min(1).max(100),
  message: text,
});

export type Failed = z.output<typeof failedSchema>;

/** The process goes away for good. */
export const leaveSchema = z.strictObject({ reason: text });

export type Leave = z.output<typeof leaveSchema>;
