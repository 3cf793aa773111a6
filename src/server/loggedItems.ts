/** Items a server can put into a row, beside the test metric's own name: what `results.types` may name. */
export const LOGGED_ITEMS = [
  "round",
  "accuracy",
  "accuracy_std",
  "elapsed_time",
  "processing_time",
  "comm_time",
  "round_time",
  "comm_overhead",
  "train_loss",
] as const;
