import type { Step } from "./effects.js";
import type { FederationIn, Phase, Process } from "./federation.js";
import type { PhaseRules } from "./rule.js";

/** The state with one process changed, or removed by `null`. */
export function withProcess<P extends Phase>(
  state: FederationIn<P>,
  id: number,
  process: Process | null,
): FederationIn<P> {
  const processes = new Map(state.processes);
  if (process === null) processes.delete(id);
  else processes.set(id, process);
  return { ...state, processes };
}

/** A new process is connected and idle. */
export function join<P extends Phase>(state: FederationIn<P>, id: number): FederationIn<P> {
  return withProcess(state, id, { connected: true, client: null });
}

/** The process with its connection lost or back; an unknown one stays unknown. */
export function connect<P extends Phase>(
  state: FederationIn<P>,
  id: number,
  connected: boolean,
): FederationIn<P> {
  const process = state.processes.get(id);
  return process === undefined ? state : withProcess(state, id, { ...process, connected });
}

/** Rules for processes that come and go while the phase waits for something else. */
export function bystanderRules<P extends Phase>(
  phase: P,
): Required<Pick<PhaseRules<P>, "process_joined" | "process_away" | "process_back" | "process_gone">> {
  const stay = (state: FederationIn<P>): Step => ({ state, effects: [] });
  return {
    process_joined: {
      to: [phase],
      does: "The process is idle.",
      step: (state, event) => stay(join(state, event.process)),
    },
    process_away: {
      to: [phase],
      does: "The process gets no work until it is back.",
      step: (state, event) => stay(connect(state, event.process, false)),
    },
    process_back: {
      to: [phase],
      does: "The process is idle again.",
      step: (state, event) => stay(connect(state, event.process, true)),
    },
    process_gone: {
      to: [phase],
      does: "The process is forgotten.",
      step: (state, event) => stay(withProcess(state, event.process, null)),
    },
  };
}
