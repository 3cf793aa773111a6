import { leavingRules } from "./closing.js";
import { settle } from "./collecting.js";
import { bystanderRules } from "./processes.js";
import type { PhaseRules } from "./rule.js";

/** Rules while the members of a round are drawn. */
export const selectingRules: PhaseRules<"selecting"> = {
  ...bystanderRules("selecting"),
  selected: {
    to: ["collecting"],
    does: "Membership is frozen; members are given to idle processes in the order of their ids; the round's time starts.",
    step: (state, event) => {
      const { round } = state.stage;
      const clients = [...event.clients].sort((a, b) => a - b);
      const members = new Map(
        clients.map((client) => [client, { status: "queued", process: null, attempts: 0 } as const]),
      );
      return settle({ ...state, stage: { phase: "collecting", round, members } }, [
        { kind: "open", round, clients },
        { kind: "arm_round", round },
      ]);
    },
  },
  ...leavingRules<"selecting">(),
};
