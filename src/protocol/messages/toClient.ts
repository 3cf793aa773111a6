import { z } from "zod";
import { clientId, round, text } from "./fields.js";
import { transferSchema } from "./transfer.js";

/** A logical client's work for one round; the global weights follow as chunks. */
export const assignSchema = z.strictObject({
  round,
  /** The round whose global weights these are; differs from `round` in asynchronous modes only. */
  starting_round: round,
  client_id: clientId,
  /** Whether the client tests after training. */
  test: z.boolean(),
  /** The round after which this logical client's update was last aggregated; null: none was yet. */
  last_round: round.nullable().optional(),
  transfer: transferSchema,
});

export type Assign = z.output<typeof assignSchema>;

/** The client's part in a round is over; its update would be refused. */
export const withdrawSchema = z.strictObject({ round, client_id: clientId, reason: text });

export type Withdraw = z.output<typeof withdrawSchema>;

/** The run is over. The client disconnects and does not come back. */
export const endSchema = z.strictObject({
  status: z.enum(["completed", "failed", "interrupted"]),
  reason: text,
  /** Rounds finished in the whole run; round 0 does not count. */
  rounds: z.int().nonnegative(),
  /** The last row of the record by column; an empty cell is null. Null without a row, or one that is too long. */
  last_row: z.record(z.string(), z.union([z.number(), z.string(), z.null()])).nullable(),
  /** Why the run did not complete; null when it did. */
  error: z.strictObject({ code: z.string().regex(/^[A-Z_]{1,100}$/), message: text }).nullable(),
});

export type End = z.output<typeof endSchema>;
