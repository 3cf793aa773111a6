import type { ElenchusError } from "../../base/index.js";
import type { Next } from "./federation.js";

/** Everything that can happen to a run, by kind. */
export interface RoundEventMap {
  /** A new process connected. */
  process_joined: { process: number };
  /** A process lost its connection and may come back. */
  process_away: { process: number };
  /** It came back. */
  process_back: { process: number };
  /** A process left for good, or did not come back in time. */
  process_gone: { process: number; reason: string };
  /** The time to wait for processes is over. */
  connect_deadline: Record<never, never>;
  /** The logical clients of the round were drawn. */
  selected: { clients: readonly number[] };
  /** A member's update was received whole and found good. */
  update_received: { round: number; client: number; process: number };
  /** A member's work failed; `retry` tells whether another attempt could end otherwise. */
  client_failed: {
    round: number;
    client: number;
    process: number;
    code: string;
    message: string;
    retry: boolean;
  };
  /** The time of the round is over. */
  round_deadline: { round: number };
  /** The new global weights are there. */
  aggregated: { round: number };
  /** Test and evaluators are done, and what follows is decided. */
  tested: { round: number; next: Next };
  /** Checkpoint and row are on disk. */
  recorded: { round: number };
  /** The server itself cannot go on. */
  broken: { error: ElenchusError };
  /** Somebody wants the run to end. */
  stop_requested: { reason: string };
}

export const ROUND_EVENTS = [
  "process_joined",
  "process_away",
  "process_back",
  "process_gone",
  "connect_deadline",
  "selected",
  "update_received",
  "client_failed",
  "round_deadline",
  "aggregated",
  "tested",
  "recorded",
  "broken",
  "stop_requested",
] as const satisfies (keyof RoundEventMap)[];
export type RoundEventKind = (typeof ROUND_EVENTS)[number];

export type RoundEventOf<Kind extends RoundEventKind> = { readonly kind: Kind } & Readonly<
  RoundEventMap[Kind]
>;

/** One event. */
export type RoundEvent = { [Kind in RoundEventKind]: RoundEventOf<Kind> }[RoundEventKind];
