import { ElenchusError, messageOf, sentence } from "../base/index.js";
import type { Effect } from "./rounds/effects.js";
import type { Federation } from "./rounds/federation.js";
import type { RoundEvent } from "./rounds/roundEvents.js";
import { transition } from "./rounds/transition.js";

/** The round loop at work. */
export interface RoundLoop {
  readonly state: Federation;
  /** Takes an event. Events that come while one is being worked on wait for their turn. */
  dispatch(event: RoundEvent): void;
}

/**
 * Runs the state machine: one event after the other, the effects of each in order.
 * @param perform starts an effect and returns at once; what it throws ends the run
 */
export function createRoundLoop(start: Federation, perform: (effect: Effect) => void): RoundLoop {
  let state = start;
  let working = false;
  const waiting: RoundEvent[] = [];

  const take = (event: RoundEvent) => {
    const step = transition(state, event);
    state = step.state;
    for (const effect of step.effects) perform(effect);
  };
  return {
    get state() {
      return state;
    },
    dispatch(event) {
      waiting.push(event);
      if (working) return;
      working = true;
      try {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          try {
            take(next);
          } catch (error) {
            // Once closed, an error has no run left to end.
            if (next.kind === "broken") throw error;
            waiting.unshift({ kind: "broken", error: asElenchusError(error) });
          }
        }
      } finally {
        working = false;
      }
    },
  };
}

/** Any thrown value as one of our errors. */
export function asElenchusError(thrown: unknown): ElenchusError {
  if (thrown instanceof ElenchusError) return thrown;
  return new ElenchusError("INTERNAL", `The server failed: ${sentence(messageOf(thrown))}`, {
    cause: thrown,
  });
}
