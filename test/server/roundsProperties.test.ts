import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ElenchusError } from "../../src/base/index.js";
import type { Effect } from "../../src/server/rounds/effects.js";
import { type Federation, newFederation, type Rules } from "../../src/server/rounds/federation.js";
import { refusalOf } from "../../src/server/rounds/refusal.js";
import type { RoundEvent } from "../../src/server/rounds/roundEvents.js";
import { transition } from "../../src/server/rounds/transition.js";

const process = fc.integer({ min: 1, max: 5 });
const client = fc.integer({ min: 1, max: 7 });
const round = fc.integer({ min: 0, max: 3 });
const work = { round, client, process };

const event: fc.Arbitrary<RoundEvent> = fc.oneof(
  fc.record({ kind: fc.constant("process_joined" as const), process }),
  fc.record({ kind: fc.constant("process_away" as const), process }),
  fc.record({ kind: fc.constant("process_back" as const), process }),
  fc.record({ kind: fc.constant("process_gone" as const), process, reason: fc.constant("gone") }),
  fc.record({ kind: fc.constant("connect_deadline" as const) }),
  fc.record({ kind: fc.constant("update_received" as const), ...work }),
  fc.record({
    kind: fc.constant("client_failed" as const),
    ...work,
    code: fc.constant("TRAINING_FAILED"),
    message: fc.constant("no"),
    retry: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("round_deadline" as const), round }),
  fc.record({ kind: fc.constant("aggregated" as const), round }),
  fc.record({
    kind: fc.constant("tested" as const),
    round,
    next: fc.constant({ kind: "continue" as const }),
  }),
  fc.record({ kind: fc.constant("recorded" as const), round }),
);
const rareEnd: fc.Arbitrary<RoundEvent> = fc.oneof(
  fc.record({ kind: fc.constant("stop_requested" as const), reason: fc.constant("enough") }),
  fc.constant({ kind: "broken" as const, error: new ElenchusError("INTERNAL", "broken") }),
);
const rules: fc.Arbitrary<Rules> = fc.record({
  totalClients: fc.constant(7),
  perRound: fc.integer({ min: 1, max: 5 }),
  quorum: fc.integer({ min: 1, max: 2 }),
  awaited: fc.integer({ min: 1, max: 3 }),
  identities: fc.constantFrom("simulated" as const, "fixed" as const),
  debug: fc.constant(false),
});

/** The world's answer to `select`, so that rounds get going. */
function answer(effects: readonly Effect[]): RoundEvent[] {
  return effects.flatMap((effect) =>
    effect.kind === "select"
      ? [{ kind: "selected" as const, clients: effect.pool.slice(-effect.count) }]
      : [],
  );
}

/** Plays a sequence and calls `check` with every step. */
function run(
  start: Federation,
  events: readonly RoundEvent[],
  check: (before: Federation, event: RoundEvent, after: Federation, effects: readonly Effect[]) => void,
): Federation {
  let state = start;
  const pending = [...events];
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    // A process that is connected already cannot join: the door sends its old self away first.
    if (next.kind === "process_joined" && state.processes.has(next.process)) continue;
    const step = transition(state, next);
    check(state, next, step.state, step.effects);
    state = step.state;
    pending.unshift(...answer(step.effects));
  }
  return state;
}

const sequences = fc.tuple(
  rules,
  fc.array(fc.oneof({ weight: 60, arbitrary: event }, { weight: 1, arbitrary: rareEnd }), { maxLength: 120 }),
);

describe("any sequence of events", () => {
  it("lets every member end at most once, and exactly once when its round closes", () => {
    fc.assert(
      fc.property(sequences, ([given, events]) => {
        run(newFederation(given, 1), events, (before, _event, after) => {
          if (before.stage.phase !== "collecting") return;
          const now = "members" in after.stage ? after.stage.members : new Map();
          for (const [id, member] of before.stage.members) {
            const ended = member.status === "reported" || member.status === "given_up";
            if (ended && after.stage.phase !== "closed") expect(now.get(id)).toEqual(member);
          }
          if (after.stage.phase === "aggregating") {
            for (const member of now.values()) expect(["reported", "given_up"]).toContain(member.status);
          }
        });
      }),
      { numRuns: 300 },
    );
  });

  it("aggregates exactly the members whose update counted, and at least the quorum", () => {
    fc.assert(
      fc.property(sequences, ([given, events]) => {
        let counted = new Set<number>();
        run(newFederation(given, 1), events, (before, next, _after, effects) => {
          if (next.kind === "selected") counted = new Set();
          if (next.kind === "update_received" && refusalOf(before, next) === null) counted.add(next.client);
          for (const effect of effects) {
            if (effect.kind !== "aggregate") continue;
            expect(effect.clients).toEqual([...counted].sort((a, b) => a - b));
            expect(effect.clients.length).toBeGreaterThanOrEqual(given.quorum);
          }
        });
      }),
      { numRuns: 300 },
    );
  });

  it("gives work only to connected processes, one member each, at most twice per member", () => {
    fc.assert(
      fc.property(sequences, ([given, events]) => {
        run(newFederation(given, 1), events, (_before, _event, after, effects) => {
          for (const effect of effects) {
            if (effect.kind === "assign") expect(after.processes.get(effect.process)?.connected).toBe(true);
          }
          const works = [...after.processes.values()].map((one) => one.client).filter((id) => id !== null);
          expect(new Set(works).size).toBe(works.length);
          if (after.stage.phase !== "collecting") {
            if (after.stage.phase !== "closed") expect(works).toEqual([]);
            return;
          }
          for (const [id, member] of after.stage.members) {
            expect(member.attempts).toBeLessThanOrEqual(2);
            if (member.status === "working") expect(after.processes.get(member.process!)?.client).toBe(id);
          }
        });
      }),
      { numRuns: 300 },
    );
  });

  it("never lets a member wait while a process that could work for it is idle", () => {
    fc.assert(
      fc.property(sequences, ([given, events]) => {
        run(newFederation(given, 1), events, (_before, _event, after) => {
          if (after.stage.phase !== "collecting") return;
          const queued = [...after.stage.members].filter(([, { status }]) => status === "queued");
          for (const [id, one] of after.processes) {
            if (!one.connected || one.client !== null) continue;
            if (given.identities === "simulated") expect(queued).toEqual([]);
            else expect(queued.map(([queuedId]) => queuedId)).not.toContain(id);
          }
        });
      }),
      { numRuns: 300 },
    );
  });

  it("counts rounds up by one, and leaves the closed phase never", () => {
    fc.assert(
      fc.property(sequences, ([given, events]) => {
        run(newFederation(given, 1), events, (before, _event, after) => {
          const step = after.stage.round - before.stage.round;
          expect(before.stage.phase === "recording" ? [0, 1] : [0]).toContain(step);
          if (before.stage.phase === "closed") expect(after).toBe(before);
        });
      }),
      { numRuns: 300 },
    );
  });
});
