import type { EvaluationOutcome } from "../evaluators/index.js";
import type { RoundRecord } from "../results/index.js";
import type { HostProgress, ScalarMetric } from "../trainers/index.js";
import type { RunSummary } from "./runSummary.js";

/** What the server tells a spectator, by kind. Plain data; the order is the order of events. */
export interface ServerEventMap {
  listening: { url: string; expected: number };
  client_connected: { process: number; connected: number; resumed: boolean };
  client_disconnected: { process: number; connected: number; reason: string };
  /** `rounds` is how many the run is to have. */
  round_started: { round: number; rounds: number; clients: readonly number[] };
  assigned: { round: number; client: number; process: number };
  progress: { round: number; client: number; done: number; total: number; loss: number | null };
  update_received: {
    round: number;
    client: number;
    samples: number;
    trainLoss: number | null;
    trainingTime: number;
  };
  client_failed: { round: number; client: number; code: string; message: string; retried: boolean };
  /** The member's part is over without an update; follows a `client_failed` that is not retried. */
  given_up: { round: number; client: number; reason: string };
  aggregated: { round: number; updates: number };
  /** Progress of the test and of the evaluators. */
  testing: { round: number; progress: HostProgress };
  tested: { round: number; scalar: ScalarMetric | null };
  evaluated: { round: number; outcome: EvaluationOutcome };
  row_recorded: { record: RoundRecord };
  /** The run is over; the client processes that are connected are told next, and go by themselves. */
  closing: { connected: readonly number[] };
  closed: { summary: RunSummary };
}

/** One event: its kind and its facts. */
export type ServerEvent = {
  [Kind in keyof ServerEventMap]: { readonly kind: Kind } & Readonly<ServerEventMap[Kind]>;
}[keyof ServerEventMap];
