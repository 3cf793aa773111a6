import { ElenchusError, sentence } from "../../base/index.js";
import type { Effect, Step } from "./effects.js";
import type { Ending, Federation, Phase } from "./federation.js";
import type { PhaseRules } from "./rule.js";

/** Ends the run. */
export function close(state: Federation, ending: Ending, before: readonly Effect[] = []): Step {
  return {
    state: { ...state, stage: { phase: "closed", round: state.stage.round, ending } },
    effects: [...before, { kind: "disarm_connect" }, { kind: "disarm_round" }, { kind: "close", ending }],
  };
}

/** The ending of a run that an error ends. */
export function failure(error: ElenchusError): Ending {
  return { status: "failed", reason: error.message, error };
}

/** The ending of a run that somebody wanted to end. */
export function interruption(reason: string): Ending {
  const error = new ElenchusError(
    "INTERRUPTED",
    `The run was stopped: ${sentence(reason)} Go on with --resume; the round in flight starts again.`,
  );
  return { status: "interrupted", reason, error };
}

/** Rules of every phase that can be left at any moment. */
export function leavingRules<P extends Phase>(): Required<Pick<PhaseRules<P>, "broken" | "stop_requested">> {
  return {
    broken: {
      to: ["closed"],
      does: "The run fails with that error.",
      step: (state, event) => close(state, failure(event.error)),
    },
    stop_requested: {
      to: ["closed"],
      does: "The run is interrupted; the round in flight is given up.",
      step: (state, event) => close(state, interruption(event.reason)),
    },
  };
}
