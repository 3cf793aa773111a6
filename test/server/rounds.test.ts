import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ElenchusError } from "../../src/base/index.js";
import { newFederation, PHASES } from "../../src/server/rounds/federation.js";
import { refusalOf } from "../../src/server/rounds/refusal.js";
import { ROUND_EVENTS } from "../../src/server/rounds/roundEvents.js";
import { ROUND_TABLE, transition } from "../../src/server/rounds/transition.js";
import {
  assignments,
  away,
  back,
  collecting,
  failed,
  gone,
  joined,
  of,
  play,
  RULES,
  update,
} from "./support/machine.js";

const proceed = { kind: "continue" } as const;

describe("the page on rounds", () => {
  it("shows the table that the code follows, row by row", () => {
    const page = readFileSync(new URL("../../docs/rounds.md", import.meta.url), "utf8");
    const rows = page.split("\n").filter((line) => /^\| `[a-z]+` \| `[a-z_]+` \|/.test(line));
    const expected = PHASES.flatMap((phase) =>
      ROUND_EVENTS.flatMap((kind) => {
        const rule = ROUND_TABLE[phase][kind];
        if (rule === undefined) return [];
        return [
          `| \`${phase}\` | \`${kind}\` | ${rule.to.map((to) => `\`${to}\``).join(", ")} | ${rule.does} |`,
        ];
      }),
    );
    expect(rows).toEqual(expected);
  });
});

describe("before the first round", () => {
  it("waits for the awaited number of processes", () => {
    const one = play(newFederation(RULES, 1), joined(1));
    expect(one.state.stage.phase).toBe("waiting");
    const two = play(one.state, joined(2));
    expect(two.state.stage).toEqual({ phase: "selecting", round: 1 });
    expect(of(two.effects, "select")).toEqual([{ kind: "select", pool: [1, 2, 3, 4, 5, 6], count: 2 }]);
  });

  it("does not count a process whose connection is lost", () => {
    const { state } = play(newFederation(RULES, 1), joined(1), away(1), joined(2));
    expect(state.stage.phase).toBe("waiting");
    expect(play(state, back(1)).state.stage.phase).toBe("selecting");
  });

  it("begins at the deadline with those that are there", () => {
    const { state } = play(newFederation(RULES, 1), joined(7), { kind: "connect_deadline" });
    expect(state.stage.phase).toBe("selecting");
  });

  it("fails with QUORUM_MISSED when fewer than the quorum are there at the deadline", () => {
    const { state } = play(newFederation({ ...RULES, quorum: 2 }, 1), joined(1), {
      kind: "connect_deadline",
    });
    expect(state.stage).toMatchObject({
      phase: "closed",
      ending: { status: "failed", error: { code: "QUORUM_MISSED", details: { connected: 1, expected: 2 } } },
    });
  });

  it("tests the untrained model first when round 0 is asked for", () => {
    const { state, effects } = play(newFederation(RULES, 0), joined(1), joined(2));
    expect(state.stage).toEqual({ phase: "testing", round: 0 });
    expect(of(effects, "test")).toEqual([{ kind: "test", round: 0 }]);
    const after = play(state, { kind: "tested", round: 0, next: proceed }, { kind: "recorded", round: 0 });
    expect(after.state.stage).toEqual({ phase: "selecting", round: 1 });
  });

  it("draws only connected clients when identities are fixed", () => {
    const { effects } = play(newFederation({ ...RULES, identities: "fixed" }, 1), joined(5), joined(2));
    expect(of(effects, "select")).toEqual([{ kind: "select", pool: [2, 5], count: 2 }]);
  });
});

describe("a round", () => {
  it("gives members to idle processes in the order of their ids", () => {
    const { effects } = play(newFederation(RULES, 1), joined(2), joined(1), {
      kind: "selected",
      clients: [6, 3],
    });
    expect(assignments(effects)).toEqual([
      [3, 1],
      [6, 2],
    ]);
  });

  it("runs more members than processes in batches", () => {
    const first = collecting([1, 2, 3], 2);
    const { state, effects } = play(first, update(2, 2));
    expect(assignments(effects)).toEqual([[3, 2]]);
    const last = play(state, update(1, 1), update(3, 2));
    expect(of(last.effects, "aggregate")).toEqual([{ kind: "aggregate", round: 1, clients: [1, 2, 3] }]);
  });

  it("gives a failed member to another process once, then gives it up", () => {
    const start = collecting([1, 2], 3);
    const once = play(start, failed(1, 1));
    expect(assignments(once.effects)).toEqual([[1, 3]]);
    const twice = play(once.state, failed(1, 3));
    expect(assignments(twice.effects)).toEqual([]);
    expect(of(twice.effects, "give_up")).toEqual([{ kind: "give_up", round: 1, client: 1 }]);
    const closed = play(twice.state, update(2, 2));
    expect(of(closed.effects, "aggregate")).toEqual([{ kind: "aggregate", round: 1, clients: [2] }]);
  });

  it("lets a failed member wait for the only process there is", () => {
    const { state, effects } = play(collecting([1, 2], 1), failed(1, 1));
    expect(assignments(effects)).toEqual([[1, 1]]);
    expect(refusalOf(state, { round: 1, client: 1, process: 1 })).toBeNull();
  });

  it("does not repeat work that would end alike", () => {
    const { effects } = play(collecting([1, 2], 3), failed(1, 1, false));
    expect(assignments(effects)).toEqual([]);
    expect(of(effects, "give_up")).toHaveLength(1);
  });

  it("stops the run at the first failure with general.debug", () => {
    const { state } = play(collecting([1, 2], 2, { debug: true }), failed(1, 1));
    expect(state.stage).toMatchObject({ phase: "closed", ending: { error: { code: "CLIENT_FAILED" } } });
  });

  it("passes a lost process's member on", () => {
    const { state, effects } = play(collecting([1, 2], 3), gone(2));
    expect(assignments(effects)).toEqual([[2, 3]]);
    expect(state.processes.has(2)).toBe(false);
  });

  it("keeps the member of a process that may come back, and tells it again when it does", () => {
    const { state, effects } = play(collecting([1, 2, 3], 2), away(1), update(2, 2));
    expect(assignments(effects)).toEqual([[3, 2]]);
    expect(assignments(play(state, back(1)).effects)).toEqual([[1, 1]]);
  });

  it("gives a process that joins late the first member in the queue", () => {
    const { effects } = play(collecting([1, 2, 3], 2), joined(9));
    expect(assignments(effects)).toEqual([[3, 9]]);
  });

  it("withdraws and gives up at the deadline whoever has not reported", () => {
    const { effects, state } = play(collecting([1, 2, 3], 2), update(1, 1), {
      kind: "round_deadline",
      round: 1,
    });
    expect(of(effects, "withdraw").map(({ client, process }) => [client, process])).toEqual([
      [2, 2],
      [3, 1],
    ]);
    expect(of(effects, "aggregate")).toEqual([{ kind: "aggregate", round: 1, clients: [1] }]);
    expect([...state.processes.values()].every(({ client }) => client === null)).toBe(true);
  });

  it("fails with QUORUM_MISSED when too few have reported", () => {
    const { state } = play(collecting([1, 2], 2, { quorum: 2 }), update(1, 1), {
      kind: "round_deadline",
      round: 1,
    });
    expect(state.stage).toMatchObject({
      phase: "closed",
      ending: { error: { code: "QUORUM_MISSED", details: { round: 1, updates: 1, expected: 2 } } },
    });
  });

  it("ignores the deadline of another round", () => {
    const { state } = play(collecting([1, 2], 2), { kind: "round_deadline", round: 0 });
    expect(state.stage.phase).toBe("collecting");
  });

  it("waits a while for processes when the last one is gone, then closes", () => {
    const alone = play(collecting([1, 2], 1), update(1, 1), gone(1));
    expect(of(alone.effects, "arm_connect")).toHaveLength(1);
    expect(alone.state.stage.phase).toBe("collecting");
    const closed = play(alone.state, { kind: "connect_deadline" });
    expect(of(closed.effects, "aggregate")).toEqual([{ kind: "aggregate", round: 1, clients: [1] }]);
    const saved = play(alone.state, joined(2), { kind: "connect_deadline" });
    expect(saved.state.stage.phase).toBe("collecting");
    expect(assignments(saved.effects)).toEqual([[2, 2]]);
  });

  it("lets an idle client take the place of a failed one when identities are fixed", () => {
    const fixed = play(
      newFederation({ ...RULES, identities: "fixed", awaited: 3 }, 1),
      joined(1),
      joined(2),
      joined(4),
      { kind: "selected", clients: [1, 2] },
    );
    expect(assignments(fixed.effects)).toEqual([
      [1, 1],
      [2, 2],
    ]);
    const { state, effects } = play(fixed.state, gone(1));
    expect(assignments(effects)).toEqual([[4, 4]]);
    const closed = play(state, failed(4, 4), update(2, 2));
    expect(of(closed.effects, "aggregate")).toEqual([{ kind: "aggregate", round: 1, clients: [2] }]);
  });

  it("gives up a queued fixed client whose process is gone", () => {
    const { state, effects } = play(
      newFederation({ ...RULES, identities: "fixed" }, 1),
      joined(1),
      joined(2),
      away(2),
      { kind: "selected", clients: [1, 2] },
      gone(2),
    );
    expect(of(effects, "give_up").map(({ client }) => client)).toEqual([2]);
    expect(play(state, update(1, 1)).state.stage.phase).toBe("aggregating");
  });
});

describe("a message about a member's work", () => {
  const state = play(collecting([2, 5], 2), update(2, 1), failed(5, 2, false)).state;
  const open = collecting([2, 5], 2);

  it("counts when it comes from the process that works for that member in this round", () => {
    expect(refusalOf(open, { round: 1, client: 2, process: 1 })).toBeNull();
  });

  it.each([
    ["foreign", open, { round: 2, client: 2, process: 1 }],
    ["late", open, { round: 0, client: 2, process: 1 }],
    ["foreign", open, { round: 1, client: 3, process: 1 }],
    ["foreign", open, { round: 1, client: 2, process: 2 }],
    ["duplicate", play(open, update(2, 1)).state, { round: 1, client: 2, process: 1 }],
    ["late", play(open, failed(2, 1, false)).state, { round: 1, client: 2, process: 1 }],
    ["late", state, { round: 1, client: 2, process: 1 }],
  ] as const)("is %s otherwise", (code, federation, message) => {
    expect(refusalOf(federation, message)).toBe(code);
    const event = { kind: "update_received", ...message } as const;
    expect(transition(federation, event).state).toBe(federation);
    expect(transition(federation, failed(message.client, message.process, true, message.round)).state).toBe(
      federation,
    );
  });
});

describe("after the last update", () => {
  const aggregating = play(collecting([1, 2], 2), update(1, 1), update(2, 2)).state;

  it("aggregates, tests, records and goes on, whatever processes come and go", () => {
    const { state, effects } = play(
      aggregating,
      joined(3),
      { kind: "aggregated", round: 1 },
      gone(1),
      { kind: "tested", round: 1, next: proceed },
      away(2),
      back(2),
      { kind: "recorded", round: 1 },
    );
    expect(effects.map(({ kind }) => kind)).toEqual(["test", "record", "disarm_connect", "select"]);
    expect(state.stage).toEqual({ phase: "selecting", round: 2 });
    expect([...state.processes.keys()]).toEqual([2, 3]);
  });

  it("takes no outcome of another round", () => {
    const { state } = play(aggregating, { kind: "aggregated", round: 2 });
    expect(state.stage.phase).toBe("aggregating");
    const testing = play(aggregating, { kind: "aggregated", round: 1 }).state;
    expect(play(testing, { kind: "tested", round: 7, next: proceed }).state.stage.phase).toBe("testing");
    const recording = play(testing, { kind: "tested", round: 1, next: proceed }).state;
    expect(play(recording, { kind: "recorded", round: 7 }).state.stage.phase).toBe("recording");
  });

  it("waits for a process when none is left for the next round", () => {
    const { state, effects } = play(
      aggregating,
      gone(1),
      gone(2),
      { kind: "aggregated", round: 1 },
      { kind: "tested", round: 1, next: proceed },
      { kind: "recorded", round: 1 },
    );
    expect(state.stage).toEqual({ phase: "waiting", round: 2, wanted: 1, enough: 1 });
    expect(of(effects, "arm_connect")).toHaveLength(1);
    expect(play(state, joined(8)).state.stage).toEqual({ phase: "selecting", round: 2 });
  });

  it("ends as decided once the row is written", () => {
    const ending = { status: "completed", reason: "all rounds done", error: null } as const;
    const { state, effects } = play(
      aggregating,
      { kind: "aggregated", round: 1 },
      { kind: "tested", round: 1, next: { kind: "end", ending } },
      { kind: "stop_requested", reason: "too late" },
      { kind: "recorded", round: 1 },
    );
    expect(state.stage).toEqual({ phase: "closed", round: 1, ending });
    expect(of(effects, "close")).toEqual([{ kind: "close", ending }]);
  });

  it("writes the row before a stop takes effect", () => {
    const recording = play(
      aggregating,
      { kind: "aggregated", round: 1 },
      { kind: "tested", round: 1, next: proceed },
      { kind: "stop_requested", reason: "Ctrl-C" },
    );
    expect(recording.state.stage.phase).toBe("recording");
    const { state } = play(recording.state, { kind: "recorded", round: 1 });
    expect(state.stage).toMatchObject({ phase: "closed", ending: { status: "interrupted" } });
  });
});

describe("a run that cannot go on", () => {
  const states = {
    waiting: newFederation(RULES, 1),
    selecting: play(newFederation(RULES, 1), joined(1), joined(2)).state,
    collecting: collecting([1, 2], 2),
    aggregating: play(collecting([1, 2], 2), update(1, 1), update(2, 2)).state,
  };

  it.each(Object.entries(states))("is interrupted when asked to while %s", (_phase, state) => {
    const { state: closed, effects } = play(state, { kind: "stop_requested", reason: "Ctrl-C" });
    expect(closed.stage).toMatchObject({ phase: "closed", ending: { status: "interrupted" } });
    expect(effects.map(({ kind }) => kind)).toEqual(["disarm_connect", "disarm_round", "close"]);
  });

  it.each(Object.entries(states))("fails with the error that ends it while %s", (_phase, state) => {
    const error = new ElenchusError("WORKER_DIED", "The worker is gone.");
    const { state: closed } = play(state, { kind: "broken", error });
    expect(closed.stage).toMatchObject({ phase: "closed", ending: { status: "failed", error } });
  });

  it("changes no more once it is closed", () => {
    const { state } = play(states.collecting, { kind: "stop_requested", reason: "Ctrl-C" });
    const again = play(state, joined(3), update(1, 1), { kind: "stop_requested", reason: "again" });
    expect(again.state).toBe(state);
    expect(again.effects).toEqual([]);
  });
});
