import { beginOrWait } from "./beginning.js";
import { close, interruption, leavingRules } from "./closing.js";
import type { Federation } from "./federation.js";
import { bystanderRules } from "./processes.js";
import type { PhaseRules } from "./rule.js";

/** Rules while the updates become new global weights. */
export const aggregatingRules: PhaseRules<"aggregating"> = {
  ...bystanderRules("aggregating"),
  aggregated: {
    to: ["aggregating", "testing"],
    does: "The new global weights are tested and evaluated.",
    step: (state, { round }) =>
      isOther(state, round)
        ? { state, effects: [] }
        : { state: { ...state, stage: { phase: "testing", round } }, effects: [{ kind: "test", round }] },
  },
  ...leavingRules<"aggregating">(),
};

/** Rules while the model is tested. */
export const testingRules: PhaseRules<"testing"> = {
  ...bystanderRules("testing"),
  tested: {
    to: ["testing", "recording"],
    does: "Checkpoint and row are written, with what follows them decided.",
    step: (state, { round, next }) =>
      isOther(state, round)
        ? { state, effects: [] }
        : {
            state: { ...state, stage: { phase: "recording", round, next } },
            effects: [{ kind: "record", round }],
          },
  },
  ...leavingRules<"testing">(),
};

/** Rules while checkpoint and row are written. */
export const recordingRules: PhaseRules<"recording"> = {
  ...bystanderRules("recording"),
  recorded: {
    to: ["recording", "selecting", "waiting", "closed"],
    does: "The next round begins, or waits for processes when there are too few; or the run ends as decided.",
    step: (state, { round }) => {
      if (isOther(state, round)) return { state, effects: [] };
      const { next } = state.stage;
      return next.kind === "end" ? close(state, next.ending) : beginOrWait(state, round + 1);
    },
  },
  ...leavingRules<"recording">(),
  stop_requested: {
    to: ["recording"],
    does: "The run ends once checkpoint and row are written.",
    step: (state, { reason }) => {
      const { stage } = state;
      if (stage.next.kind === "end") return { state, effects: [] };
      const next = { kind: "end", ending: interruption(reason) } as const;
      return { state: { ...state, stage: { ...stage, next } }, effects: [] };
    },
  },
};

function isOther(state: Federation, round: number): boolean {
  return state.stage.round !== round;
}
