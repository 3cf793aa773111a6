import type { Messages, TO_CLIENT, TO_SERVER } from "../../src/protocol/index.js";

const transfer = { id: "t1", bytes: 2500, chunks: 3, chunk_bytes: 1000 };

/** A sound message of every event to the server. */
export const TO_SERVER_EXAMPLES: Messages<typeof TO_SERVER> = {
  progress: { round: 1, client_id: 2, done: 3, total: 4, loss: 0.5 },
  report: {
    round: 1,
    client_id: 2,
    num_samples: 100,
    train_loss: null,
    training_time: 1.5,
    scalar: { name: "accuracy", value: 0.9, higher_is_better: true },
    transfer,
  },
  chunk: { transfer: "t1", index: 0 },
  transfer_done: { transfer: "t1", sha256: "0".repeat(64) },
  failed: { round: 1, client_id: 2, code: "TRAINING_FAILED", message: "no data" },
  leave: { reason: "interrupted" },
};

/** A sound message of every event to a client. */
export const TO_CLIENT_EXAMPLES: Messages<typeof TO_CLIENT> = {
  welcome: {
    session: "s1",
    run_id: "run",
    limits: {
      chunk_bytes: 1000,
      window: 4,
      payload_bytes: 100_000,
      payload_chunks: 64,
      report_bytes: 4096,
      buffered_bytes: 150_000,
      payload_seconds: 20,
    },
    grace_seconds: 30,
  },
  assign: { round: 1, starting_round: 1, client_id: 2, test: false, transfer },
  chunk: { transfer: "t1", index: 0 },
  transfer_done: { transfer: "t1", sha256: "f".repeat(64) },
  withdraw: { round: 1, client_id: 2, reason: "deadline" },
  end: {
    status: "failed",
    reason: "a strict evaluator",
    rounds: 3,
    last_row: { round: 3, accuracy: 0.5, train_loss: null, evaluation_status: "failed" },
    error: { code: "EVALUATION_FAILED", message: "boom" },
  },
};
