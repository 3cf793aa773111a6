import type { EvaluationOutcome } from "../evaluators/index.js";

/** One round as the server hands it over. Plain data: it also travels in the checkpoint. */
export interface RoundRecord {
  /** From 1; 0 is the untrained model. */
  round: number;
  /** Items by column name: `round`, `accuracy`, `elapsed_time`, ... Absent or null: an empty cell. */
  items: Record<string, number | string | null>;
  /** In table order. */
  evaluations: EvaluationOutcome[];
  /** Scalar of each client that tested, for `<run_id>_accuracy.csv`. */
  clients: { clientId: number; metric: string; value: number }[];
}
