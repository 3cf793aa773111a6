import { expect, it } from "vitest";
import { createFedAvg } from "../../src/algorithms/fedavg.js";
import { manualClock, silentLogger } from "../../src/base/index.js";
import { ACCEPTED, type Expectation, limitsOf, type PayloadReceiver } from "../../src/protocol/index.js";
import { createRoundLoop } from "../../src/server/roundLoop.js";
import { openRound } from "../../src/server/roundWork.js";
import { createRunMemory } from "../../src/server/runMemory.js";
import type { ServerEvent } from "../../src/server/serverEvents.js";
import type { Session } from "../../src/server/sessions.js";
import { createDeadlineTimer } from "../../src/server/timers.js";
import { createUploads } from "../../src/server/uploads.js";
import { encodeWeights } from "../../src/weights/index.js";
import { configOf, weightsOf } from "./support/federation.js";
import { collecting } from "./support/machine.js";

it("an update whose round closes while it is checked is late, and nothing of it is kept", async () => {
  const config = configOf();
  const clock = manualClock(0);
  const weights = weightsOf(1, 2);
  const limits = limitsOf(config.server);
  const algorithm = createFedAvg().server;
  const work = openRound({ round: 1, clients: [1, 2], weights, limits, algorithm, order: "client" });
  const memory = createRunMemory(config, clock, { weights });
  const loop = createRoundLoop(collecting([1, 2], 2), () => {});
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
    policy: "reject",
    clock,
    logger: silentLogger,
    tell: (event) => events.push(event),
  });

  const session: Session = { id: "s", process: 1, socket: null, grace: createDeadlineTimer(), sending: null };
  const parts = encodeWeights(weightsOf(5, 6));
  const bytes = parts.reduce((sum, part) => sum + part.length, 0);
  const transfer = { id: "t", bytes, chunks: 1, chunk_bytes: bytes };
  const figures = { num_samples: 1, train_loss: null, training_time: 0, scalar: null };
  expect(uploads.report(session, { round: 1, client_id: 1, ...figures, transfer })).toEqual(ACCEPTED);
  const reply = await expected[0]!.accept({
    bytes,
    async *read() {
      loop.dispatch({ kind: "round_deadline", round: 1 });
      yield* parts;
    },
    discard: async () => {},
  });

  expect(reply).toMatchObject({ ok: false, code: "late" });
  expect(work.results.size).toBe(0);
  expect(work.fold.accepted).toBe(0);
  expect(memory.payloadBytes).toBe(0);
  expect(events).toEqual([]);
});
