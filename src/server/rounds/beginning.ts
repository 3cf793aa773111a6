import type { Step } from "./effects.js";
import { connectedProcesses, type Federation } from "./federation.js";

/** Begins a round; round 0 is the untrained model's test. */
export function begin(state: Federation, round: number): Step {
  if (round === 0) {
    return {
      state: { ...state, stage: { phase: "testing", round } },
      effects: [{ kind: "disarm_connect" }, { kind: "test", round }],
    };
  }
  const pool = poolOf(state);
  return {
    state: { ...state, stage: { phase: "selecting", round } },
    effects: [
      { kind: "disarm_connect" },
      { kind: "select", pool, count: Math.min(state.rules.perRound, pool.length) },
    ],
  };
}

/** Begins a later round, or waits for processes when there are too few. */
export function beginOrWait(state: Federation, round: number): Step {
  const { rules } = state;
  const enough = rules.identities === "simulated" ? 1 : Math.min(rules.quorum, rules.awaited);
  if (connectedProcesses(state).length >= enough) return begin(state, round);
  return {
    state: { ...state, stage: { phase: "waiting", round, wanted: enough, enough } },
    effects: [{ kind: "arm_connect" }],
  };
}

/** Logical clients that can take part, ascending. */
function poolOf(state: Federation): number[] {
  if (state.rules.identities === "fixed") return connectedProcesses(state).sort((a, b) => a - b);
  return Array.from({ length: state.rules.totalClients }, (_, index) => index + 1);
}
