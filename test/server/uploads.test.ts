import { expect, it } from "vitest";
import { createFedAvg } from "../../src/algorithms/fedavg.js";
import { manualClock, silentLogger } from "../../src/base/index.js";
import { processingOf } from "../../src/processors/index.js";
import {
  ACCEPTED,
  createPayloadStore,
  type Expectation,
  limitsOf,
  type PayloadReceiver,
} from "../../src/protocol/index.js";
import { createRoundLoop } from "../../src/server/roundLoop.js";
import type { Effect } from "../../src/server/rounds/effects.js";
import { openRound } from "../../src/server/roundWork.js";
import { createRunMemory } from "../../src/server/runMemory.js";
import type { ServerEvent } from "../../src/server/serverEvents.js";
import type { Session } from "../../src/server/sessions.js";
import { createDeadlineTimer } from "../../src/server/timers.js";
import { createUploads } from "../../src/server/uploads.js";
import { encodeWeights } from "../../src/weights/index.js";
import { configOf, weightsOf } from "./support/federation.js";
import { collecting } from "./support/machine.js";

/** Uploads of the clients 1 and 2 in round 1, with nothing between them and the test. */
function startUploads() {
  const config = configOf();
  const clock = manualClock(0);
  const weights = weightsOf(1, 2);
  const limits = limitsOf(config.server);
  const algorithm = createFedAvg().server;
  const processing = processingOf(config);
  const work = openRound({
    round: 1,
    clients: [1, 2],
    weights,
    limits,
    processing,
    seed: 1,
    algorithm,
    order: "client",
  });
  const memory = createRunMemory(config, clock, { weights });
  const effects: Effect[] = [];
  const loop = createRoundLoop(collecting([1, 2], 2), (effect) => effects.push(effect));
  const expected: Expectation[] = [];
  const receiver: Pick<PayloadReceiver, "open" | "drop"> = {
    open(_owner, _transfer, expectation) {
      expected.push(expectation);
      return ACCEPTED;
    },
    drop() {},
  };
  const events: ServerEvent[] = [];
  const uploads = createUploads({
    loop: () => loop,
    work: () => work,
    memory,
    receiver: receiver as PayloadReceiver,
    store: createPayloadStore({ folder: "nowhere" }),
    pipeline: processing.up,
    config,
    clock,
    logger: silentLogger,
    tell: (event) => events.push(event),
  });

  return {
    loop,
    effects,
    parts: encodeWeights(weightsOf(5, 6)),
    /** Client 1 reports, and its update arrives. */
    async arrive(read: () => AsyncIterable<Uint8Array>) {
      const session: Session = {
        id: "s",
        process: 1,
        socket: null,
        grace: createDeadlineTimer(),
        sending: null,
      };
      const bytes = encodeWeights(weightsOf(5, 6)).reduce((sum, part) => sum + part.length, 0);
      const transfer = { id: "t", bytes, chunks: 1, chunk_bytes: bytes };
      const figures = { num_samples: 1, train_loss: null, training_time: 0, scalar: null };
      expect(uploads.report(session, { round: 1, client_id: 1, ...figures, transfer })).toEqual(ACCEPTED);
      return expected[0]!.accept({ bytes, read, discard: async () => {} });
    },
    expectNothingKept() {
      expect(work.results.size).toBe(0);
      expect(work.fold.accepted).toBe(0);
      expect(memory.payloadBytes).toBe(0);
      expect(events).toEqual([]);
    },
  };
}

it("an update whose round closes while it is checked is late, and nothing of it is kept", async () => {
  const { loop, parts, arrive, expectNothingKept } = startUploads();
  const reply = await arrive(async function* () {
    loop.dispatch({ kind: "round_deadline", round: 1 });
    yield* parts;
  });
  expect(reply).toMatchObject({ ok: false, code: "late" });
  expectNothingKept();
});

it("an update that cannot be read is no reason to wait for its client until the deadline", async () => {
  const { effects, arrive, expectNothingKept } = startUploads();
  // biome-ignore lint/correctness/useYield: the first piece cannot be read
  const arrived = arrive(async function* () {
    throw new Error("input/output error");
  });
  await expect(arrived).rejects.toThrow("input/output error");
  expectNothingKept();
  expect(effects).toContainEqual({
    kind: "tell",
    event: expect.objectContaining({
      kind: "client_failed",
      client: 1,
      retried: true,
      message: expect.stringContaining("input/output error"),
    }),
  });
});
