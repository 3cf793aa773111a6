import { ElenchusError } from "../../base/index.js";
import { begin } from "./beginning.js";
import { close, failure, leavingRules } from "./closing.js";
import type { Step } from "./effects.js";
import { connectedProcesses, type FederationIn } from "./federation.js";
import { bystanderRules, connect, join } from "./processes.js";
import type { PhaseRules } from "./rule.js";

/** Rules while too few processes are connected. */
export const waitingRules: PhaseRules<"waiting"> = {
  ...bystanderRules("waiting"),
  process_joined: {
    to: ["waiting", "selecting", "testing"],
    does: "The process is idle. The round begins when as many are connected as it waits for.",
    step: (state, event) => beginWhenComplete(join(state, event.process)),
  },
  process_back: {
    to: ["waiting", "selecting", "testing"],
    does: "As when a process joins.",
    step: (state, event) => beginWhenComplete(connect(state, event.process, true)),
  },
  connect_deadline: {
    to: ["selecting", "testing", "closed"],
    does: "The round begins with those that are there; below the quorum the run fails with QUORUM_MISSED.",
    step: (state) => beginWithThose(state),
  },
  ...leavingRules<"waiting">(),
};

function beginWhenComplete(state: FederationIn<"waiting">): Step {
  const complete = connectedProcesses(state).length >= state.stage.wanted;
  return complete ? begin(state, state.stage.round) : { state, effects: [] };
}

function beginWithThose(state: FederationIn<"waiting">): Step {
  const connected = connectedProcesses(state).length;
  if (connected >= state.stage.enough) return begin(state, state.stage.round);
  return close(
    state,
    failure(
      new ElenchusError(
        "QUORUM_MISSED",
        `${connected} client processes are connected at server.connect_deadline, at least ${state.stage.enough} were expected. Start the missing ones sooner, raise the deadline, or lower server.minimum_clients_aggregated.`,
        { details: { connected, expected: state.stage.enough } },
      ),
    ),
  );
}
