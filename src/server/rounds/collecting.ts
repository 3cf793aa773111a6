import { ElenchusError } from "../../base/index.js";
import { close, failure } from "./closing.js";
import type { Effect, Step } from "./effects.js";
import type { FederationIn, Member, Process } from "./federation.js";

type Collecting = FederationIn<"collecting">;

/** Attempts at one member's work: the first, and one more by an idle process. */
const ATTEMPTS = 2;

/** Gives queued members to idle processes, and closes the round when every member has ended. */
export function settle(state: Collecting, before: readonly Effect[]): Step {
  const { state: filled, effects } = fill(state);
  const all = [...before, ...effects];
  const open = [...filled.stage.members.values()].some(({ status }) => !hasEnded(status));
  return open ? { state: filled, effects: all } : closeRound(filled, all);
}

/** A member's work failed: to another process once, then given up. Its process is free. */
export function failMember(
  state: Collecting,
  client: number,
  cause: { code: string; message: string; retry: boolean },
): { state: Collecting; effects: Effect[] } {
  const member = state.stage.members.get(client)!;
  const { round } = state.stage;
  const again = cause.retry && state.rules.identities === "simulated" && member.attempts < ATTEMPTS;
  const { code, message } = cause;
  const told: Effect = {
    kind: "tell",
    event: { kind: "client_failed", round, client, code, message, retried: again },
  };
  const freed = freeProcess(state, member);
  if (again) return { state: withMember(freed, client, { ...member, status: "queued" }), effects: [told] };
  const reason = `[${code}] ${message}`;
  const by = substituteIn(freed);
  if (by === null) {
    const given = giveUp(freed, client, reason);
    return { state: given.state, effects: [told, ...given.effects] };
  }
  const left = withMember(freed, client, { ...member, status: "given_up" });
  return {
    state: withMember(left, by, { status: "queued", process: null, attempts: 0 }),
    effects: [
      told,
      { kind: "replace", round, client, by },
      {
        kind: "tell",
        event: { kind: "given_up", round, client, reason: `client ${by} takes its place: ${reason}` },
      },
    ],
  };
}

/** Ends a member's part without an update. */
export function giveUp(
  state: Collecting,
  client: number,
  reason: string,
): { state: Collecting; effects: Effect[] } {
  const member = state.stage.members.get(client)!;
  const { round } = state.stage;
  return {
    state: withMember(state, client, { ...member, status: "given_up" }),
    effects: [
      { kind: "give_up", round, client },
      { kind: "tell", event: { kind: "given_up", round, client, reason } },
    ],
  };
}

/** The state with the member's process idle, where it still works for that member. */
export function freeProcess(state: Collecting, member: Member): Collecting {
  if (member.status !== "working" || member.process === null) return state;
  const process = state.processes.get(member.process);
  if (process === undefined) return state;
  return {
    ...state,
    processes: new Map(state.processes).set(member.process, { ...process, client: null }),
  };
}

export function withMember(state: Collecting, client: number, member: Member): Collecting {
  const members = new Map(state.stage.members).set(client, member);
  return { ...state, stage: { ...state.stage, members } };
}

/** True when nothing more is expected of a member. */
export function hasEnded(status: Member["status"]): boolean {
  return status === "reported" || status === "given_up";
}

/** With fixed identities: an idle client that is no member and can take the place of one; null if none. */
function substituteIn(state: Collecting): number | null {
  if (state.rules.identities === "simulated") return null;
  const candidates = [...state.processes]
    .filter(([id, process]) => isIdle(process) && !state.stage.members.has(id))
    .map(([id]) => id);
  return candidates.length === 0 ? null : Math.min(...candidates);
}

function fill(state: Collecting): { state: Collecting; effects: Effect[] } {
  const queued = [...state.stage.members]
    .filter(([, member]) => member.status === "queued")
    .sort(([a], [b]) => a - b);
  const idle = [...state.processes]
    .filter(([, process]) => isIdle(process))
    .map(([id]) => id)
    .sort((a, b) => a - b);
  if (queued.length === 0 || idle.length === 0) return { state, effects: [] };

  const { round } = state.stage;
  const members = new Map(state.stage.members);
  const processes = new Map(state.processes);
  const effects: Effect[] = [];
  for (const [client, member] of queued) {
    const place = placeFor(client, member, idle, state);
    if (place === -1) continue;
    const [process] = idle.splice(place, 1) as [number];
    members.set(client, { status: "working", process, attempts: member.attempts + 1 });
    processes.set(process, { connected: true, client });
    effects.push(
      { kind: "assign", round, client, process },
      { kind: "tell", event: { kind: "assigned", round, client, process } },
    );
  }
  return { state: { ...state, processes, stage: { ...state.stage, members } }, effects };
}

/** Place in `idle` of the process to take: a second attempt goes to another process where there is one. */
function placeFor(client: number, member: Member, idle: readonly number[], state: Collecting): number {
  if (state.rules.identities === "fixed") return idle.indexOf(client);
  const other = idle.findIndex((id) => id !== member.process);
  return other === -1 ? idle.length - 1 : other;
}

function isIdle(process: Process): boolean {
  return process.connected && process.client === null;
}

function closeRound(state: Collecting, before: readonly Effect[]): Step {
  const { round, members } = state.stage;
  const clients = [...members]
    .filter(([, member]) => member.status === "reported")
    .map(([client]) => client)
    .sort((a, b) => a - b);
  const { quorum } = state.rules;
  if (clients.length >= quorum) {
    return {
      state: { ...state, stage: { phase: "aggregating", round, members } },
      effects: [
        ...before,
        { kind: "disarm_connect" },
        { kind: "disarm_round" },
        { kind: "aggregate", round, clients },
      ],
    };
  }
  const error = new ElenchusError(
    "QUORUM_MISSED",
    `Round ${round} has ${clients.length} updates from ${members.size} clients, at least ${quorum} were expected. See the warnings above for the clients that were given up; raise server.round_deadline or lower server.minimum_clients_aggregated, then go on with --resume.`,
    { details: { round, updates: clients.length, expected: quorum } },
  );
  return close(state, failure(error), before);
}
