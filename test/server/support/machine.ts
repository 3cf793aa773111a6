import type { Effect, Step } from "../../../src/server/rounds/effects.js";
import { type Federation, newFederation, type Rules } from "../../../src/server/rounds/federation.js";
import type { RoundEvent } from "../../../src/server/rounds/roundEvents.js";
import { transition } from "../../../src/server/rounds/transition.js";

export const RULES: Rules = {
  totalClients: 6,
  perRound: 2,
  quorum: 1,
  awaited: 2,
  identities: "simulated",
  debug: false,
};

/** Runs events one after the other and keeps the effects. */
export function play(start: Federation, ...events: RoundEvent[]): Step {
  const effects: Effect[] = [];
  let state = start;
  for (const event of events) {
    const step = transition(state, event);
    state = step.state;
    effects.push(...step.effects);
  }
  return { state, effects };
}

/** A round 1 in which these clients were drawn and this many processes are connected. */
export function collecting(clients: number[], processes: number, rules: Partial<Rules> = {}): Federation {
  const joins = Array.from({ length: processes }, (_, index) => joined(index + 1));
  const start = newFederation({ ...RULES, awaited: processes, ...rules }, 1);
  return play(start, ...joins, { kind: "selected", clients }).state;
}

export const joined = (process: number): RoundEvent => ({ kind: "process_joined", process });
export const away = (process: number): RoundEvent => ({ kind: "process_away", process });
export const back = (process: number): RoundEvent => ({ kind: "process_back", process });
export const gone = (process: number): RoundEvent => ({ kind: "process_gone", process, reason: "left" });
export const update = (client: number, process: number, round = 1): RoundEvent => ({
  kind: "update_received",
  round,
  client,
  process,
});
export const failed = (client: number, process: number, retry = true, round = 1): RoundEvent => ({
  kind: "client_failed",
  round,
  client,
  process,
  retry,
  code: "TRAINING_FAILED",
  message: "the loss is NaN",
});

/** The effects of one kind. */
export function of<K extends Effect["kind"]>(effects: readonly Effect[], kind: K) {
  return effects.filter((effect): effect is Extract<Effect, { kind: K }> => effect.kind === kind);
}

/** Assignments as [client, process]. */
export function assignments(effects: readonly Effect[]): [number, number][] {
  return of(effects, "assign").map(({ client, process }) => [client, process]);
}
