import { ElenchusError, sentence } from "../../base/index.js";
import { close, failure, leavingRules } from "./closing.js";
import { failMember, freeProcess, giveUp, hasEnded, settle, withMember } from "./collecting.js";
import type { Effect, Step } from "./effects.js";
import type { FederationIn } from "./federation.js";
import { connectedProcesses } from "./federation.js";
import { connect, join, withProcess } from "./processes.js";
import { refusalOf } from "./refusal.js";
import type { RoundEventOf } from "./roundEvents.js";
import type { PhaseRules } from "./rule.js";

type Collecting = FederationIn<"collecting">;

/** Rules while the members of a round work. */
export const collectingRules: PhaseRules<"collecting"> = {
  process_joined: {
    to: ["collecting"],
    does: "The process is idle and gets the first queued member.",
    step: (state, event) => settle(join(state, event.process), [{ kind: "disarm_connect" }]),
  },
  process_away: {
    to: ["collecting"],
    does: "The process keeps its member, which may go on working, and gets no other.",
    step: (state, event) => ({ state: connect(state, event.process, false), effects: [] }),
  },
  process_back: {
    to: ["collecting"],
    does: "The process goes on with its member, which it is told again; an idle one gets the first queued member.",
    step: (state, event) => welcomeBack(state, event.process),
  },
  process_gone: {
    to: ["collecting", "aggregating", "closed"],
    does: "The process is forgotten and its member fails. When it was the last, the time to wait for processes starts.",
    step: (state, event) => loseProcess(state, event),
  },
  connect_deadline: {
    to: ["collecting", "aggregating", "closed"],
    does: "When still no process is there, every member that has not reported is given up and the round closes.",
    step: (state) =>
      connectedProcesses(state).length > 0
        ? { state, effects: [] }
        : closeEarly(state, "no client process came back before server.connect_deadline"),
  },
  update_received: {
    to: ["collecting", "aggregating", "closed"],
    does: "The member has reported; its process is idle. The round closes with its last member: with the quorum it is aggregated, else the run fails with QUORUM_MISSED.",
    step: (state, event) => takeUpdate(state, event),
  },
  client_failed: {
    to: ["collecting", "aggregating", "closed"],
    does: "The member goes to an idle process once; after that, or when another attempt would end alike, it is given up. With `general.debug` the run fails with CLIENT_FAILED.",
    step: (state, event) => (refusalOf(state, event) === null ? fail(state, event) : { state, effects: [] }),
  },
  round_deadline: {
    to: ["collecting", "aggregating", "closed"],
    does: "Every member that has not reported is withdrawn and given up, and the round closes.",
    step: (state, event) =>
      event.round === state.stage.round
        ? closeEarly(state, "it had not reported at server.round_deadline")
        : { state, effects: [] },
  },
  ...leavingRules<"collecting">(),
};

function welcomeBack(state: Collecting, id: number): Step {
  const back = connect(state, id, true);
  const client = back.processes.get(id)?.client ?? null;
  const { round } = state.stage;
  const again: Effect[] = client === null ? [] : [{ kind: "assign", round, client, process: id }];
  return settle(back, [{ kind: "disarm_connect" }, ...again]);
}

function loseProcess(state: Collecting, event: RoundEventOf<"process_gone">): Step {
  const { identities } = state.rules;
  const client =
    identities === "fixed" ? event.process : (state.processes.get(event.process)?.client ?? null);
  const without = withProcess(state, event.process, null);
  const waits: Effect[] = without.processes.size === 0 ? [{ kind: "arm_connect" }] : [];
  const member = client === null ? undefined : without.stage.members.get(client);
  if (client === null || member === undefined || hasEnded(member.status)) return settle(without, waits);
  const cause = {
    code: "CONNECTION_LOST",
    message: `process ${event.process} is gone: ${event.reason}`,
    retry: true,
  };
  return fail(without, { client, ...cause }, waits);
}

function takeUpdate(state: Collecting, event: RoundEventOf<"update_received">): Step {
  if (refusalOf(state, event) !== null) return { state, effects: [] };
  const member = state.stage.members.get(event.client)!;
  return settle(withMember(freeProcess(state, member), event.client, { ...member, status: "reported" }), []);
}

function fail(
  state: Collecting,
  cause: { client: number; code: string; message: string; retry: boolean },
  before: readonly Effect[] = [],
): Step {
  if (!state.rules.debug) {
    const failed = failMember(state, cause.client, cause);
    return settle(failed.state, [...before, ...failed.effects]);
  }
  const error = new ElenchusError(
    "CLIENT_FAILED",
    `Client ${cause.client} failed in round ${state.stage.round} [${cause.code}]: ${sentence(cause.message)} With general.debug = false the run would go on without it.`,
    { details: { client: cause.client, round: state.stage.round, code: cause.code } },
  );
  return close(state, failure(error), before);
}

/** Gives up every member that has not ended, and closes the round. */
function closeEarly(state: Collecting, reason: string): Step {
  const { round, members } = state.stage;
  const effects: Effect[] = [];
  let now = state;
  for (const [client, member] of members) {
    if (hasEnded(member.status)) continue;
    if (member.status === "working" && member.process !== null) {
      effects.push({ kind: "withdraw", round, client, process: member.process, reason });
    }
    const given = giveUp(freeProcess(now, member), client, reason);
    now = given.state;
    effects.push(...given.effects);
  }
  return settle(now, effects);
}
