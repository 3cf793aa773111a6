import type { ServerEvent } from "../serverEvents.js";
import type { Ending, Federation } from "./federation.js";

/** What the world is asked to do. Doing it never changes the state; its outcome comes back as an event. */
export type Effect =
  /** Start, or start again, the time to wait for processes. Comes back as `connect_deadline`. */
  | { readonly kind: "arm_connect" }
  | { readonly kind: "disarm_connect" }
  /** Start the time of the round. Comes back as `round_deadline`. */
  | { readonly kind: "arm_round"; readonly round: number }
  | { readonly kind: "disarm_round" }
  /** Draw `count` logical clients from the pool. Comes back as `selected`. */
  | { readonly kind: "select"; readonly pool: readonly number[]; readonly count: number }
  /** Get ready for a round of these members, ascending: their weights to send, their updates to fold. */
  | { readonly kind: "open"; readonly round: number; readonly clients: readonly number[] }
  /** Send the global weights; to a process that came back: unless it has them. */
  | { readonly kind: "assign"; readonly round: number; readonly client: number; readonly process: number }
  /** Its part is over, whatever it still sends. */
  | {
      readonly kind: "withdraw";
      readonly round: number;
      readonly client: number;
      readonly process: number;
      readonly reason: string;
    }
  /** No update of this member will come: those behind it in order need not wait for it. */
  | { readonly kind: "give_up"; readonly round: number; readonly client: number }
  /** Another client takes the place of one that was given up. */
  | { readonly kind: "replace"; readonly round: number; readonly client: number; readonly by: number }
  /** Make the new global weights from the updates of these clients. Comes back as `aggregated`. */
  | { readonly kind: "aggregate"; readonly round: number; readonly clients: readonly number[] }
  /** Test, evaluate, decide. Comes back as `tested`. */
  | { readonly kind: "test"; readonly round: number }
  /** Write checkpoint and row. Comes back as `recorded`. */
  | { readonly kind: "record"; readonly round: number }
  /** End the run. */
  | { readonly kind: "close"; readonly ending: Ending }
  /** Tell the spectator. */
  | { readonly kind: "tell"; readonly event: ServerEvent };

/** A new state and what follows from having reached it, in order. */
export interface Step {
  readonly state: Federation;
  readonly effects: readonly Effect[];
}
