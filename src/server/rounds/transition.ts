import { ElenchusError } from "../../base/index.js";
import { collectingRules } from "./collectingRules.js";
import type { Step } from "./effects.js";
import type { Federation, Phase } from "./federation.js";
import { aggregatingRules, recordingRules, testingRules } from "./laterRules.js";
import type { RoundEvent, RoundEventKind } from "./roundEvents.js";
import type { PhaseRules, Rule } from "./rule.js";
import { selectingRules } from "./selectingRules.js";
import { waitingRules } from "./waitingRules.js";

/** What each event does in each phase. `docs/rounds.md` shows it; a test compares the two. */
export const ROUND_TABLE: { readonly [P in Phase]: PhaseRules<P> } = {
  waiting: waitingRules,
  selecting: selectingRules,
  collecting: collectingRules,
  aggregating: aggregatingRules,
  testing: testingRules,
  recording: recordingRules,
  closed: {},
};

/**
 * One step of the round loop. Pure: the same state and event always give the same step. An event that has
 * no rule in the state's phase changes nothing.
 * @throws INTERNAL when a rule leads where the table does not allow
 */
export function transition(state: Federation, event: RoundEvent): Step {
  const { phase } = state.stage;
  // The table's type ties each rule to its phase and event; indexing by both at once loses that tie.
  const rule = ROUND_TABLE[phase][event.kind] as Rule<Phase, RoundEventKind> | undefined;
  if (rule === undefined) return { state, effects: [] };
  const step = rule.step(state, event);
  if (!rule.to.includes(step.state.stage.phase)) {
    throw new ElenchusError(
      "INTERNAL",
      `${event.kind} led from ${phase} to ${step.state.stage.phase}, which the table of rounds does not allow.`,
    );
  }
  return step;
}
