import type { ElenchusError } from "../../base/index.js";

/** What stays the same during a run. */
export interface Rules {
  readonly totalClients: number;
  readonly perRound: number;
  /** Updates without which a round does not count: `server.minimum_clients_aggregated`. */
  readonly quorum: number;
  /** Processes for which the first round waits. */
  readonly awaited: number;
  /**
   * `simulated`: any process works as any logical client. `fixed`: a process is the logical client of its
   * own number (`server.disable_clients = true`).
   */
  readonly identities: "simulated" | "fixed";
  /** `general.debug`: the first failure of a client stops the run. */
  readonly debug: boolean;
}

/** A client process as the server sees it. */
export interface Process {
  /** False while its connection is lost and may still come back. */
  readonly connected: boolean;
  /** The logical client it works as; null when it is idle. */
  readonly client: number | null;
}

/** A logical client's part in a round. It ends in exactly one of `reported` and `given_up`. */
export interface Member {
  readonly status: "queued" | "working" | "reported" | "given_up";
  /** The process that works or last worked for it. */
  readonly process: number | null;
  /** How often it was given to a process. */
  readonly attempts: number;
}

/** The members of a round by logical client. */
export type Members = ReadonlyMap<number, Member>;

/** How the run ends. */
export interface Ending {
  readonly status: "completed" | "failed" | "interrupted";
  readonly reason: string;
  readonly error: ElenchusError | null;
}

/** What follows a recorded round. */
export type Next = { readonly kind: "continue" } | { readonly kind: "end"; readonly ending: Ending };

/** Where the run stands. */
export type Stage =
  /** For client processes, before `round`: for `wanted` of them, or for `enough` until the deadline. */
  | { readonly phase: "waiting"; readonly round: number; readonly wanted: number; readonly enough: number }
  /** For the logical clients of the round to be drawn. */
  | { readonly phase: "selecting"; readonly round: number }
  /** For the members' updates. */
  | { readonly phase: "collecting"; readonly round: number; readonly members: Members }
  /** For the new global weights. */
  | { readonly phase: "aggregating"; readonly round: number; readonly members: Members }
  /** For the test and the evaluators. */
  | { readonly phase: "testing"; readonly round: number }
  /** For checkpoint and row to be on disk. */
  | { readonly phase: "recording"; readonly round: number; readonly next: Next }
  /** For nothing. */
  | { readonly phase: "closed"; readonly round: number; readonly ending: Ending };

export const PHASES = [
  "waiting",
  "selecting",
  "collecting",
  "aggregating",
  "testing",
  "recording",
  "closed",
] as const;
export type Phase = (typeof PHASES)[number];

/** The whole state of the round loop. */
export interface Federation {
  readonly rules: Rules;
  readonly processes: ReadonlyMap<number, Process>;
  readonly stage: Stage;
}

/** The state in one phase. */
export interface FederationIn<P extends Phase> extends Federation {
  readonly stage: Extract<Stage, { phase: P }>;
}

/**
 * The state at start-up.
 * @param round the first round to run: 0 when the untrained model is to be tested first
 */
export function newFederation(rules: Rules, round: number): FederationIn<"waiting"> {
  const enough = Math.min(rules.quorum, rules.awaited);
  return {
    rules,
    processes: new Map(),
    stage: { phase: "waiting", round, wanted: rules.awaited, enough },
  };
}

/** Processes whose connection stands. */
export function connectedProcesses(federation: Federation): number[] {
  return [...federation.processes].filter(([, process]) => process.connected).map(([id]) => id);
}
