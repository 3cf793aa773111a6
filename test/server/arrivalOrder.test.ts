import { afterEach, expect, it } from "vitest";
import { configOf, startFederation, type TestFederation, weightsOf } from "./support/federation.js";
import { type RawClient, rawClient } from "./support/rawClient.js";

let federation: TestFederation | undefined;
const raw: RawClient[] = [];
afterEach(async () => {
  for (const client of raw.splice(0)) client.close();
  await federation?.close();
  federation = undefined;
});

const TIMES = ["elapsed_time", "processing_time", "comm_time", "round_time"];
const tested = configOf({
  clients: { total_clients: 3, per_round: 3, do_test: true },
  server: { do_test: false },
  trainer: { rounds: 1 },
  results: { record_clients_accuracy: true },
});

it.each([[[1, 2, 3]], [[3, 2, 1]], [[2, 3, 1]]])(
  "a round's row and weights do not depend on who reports first: %j",
  async (order) => {
    federation = await startFederation(tested, { launched: 3 });
    const { url } = federation.server;
    const works = new Map(
      await Promise.all(
        [1, 2, 3].map(async (process) => {
          const client = rawClient(url, { process });
          raw.push(client);
          const work = await client.assignment();
          return [work.client_id, { client, work }] as const;
        }),
      ),
    );
    for (const id of order) {
      const { client, work } = works.get(id)!;
      // In doubles 0.1 + 0.2 + 0.3 is 0.6000000000000001, from the other end 0.6. In float32 2^24 + 1 + 1 is
      // 2^24, from the other end 2^24 + 2.
      const own = { name: "accuracy", value: id / 10, higher_is_better: true };
      const message = { train_loss: id / 10, scalar: own, training_time: 0 };
      const weights = weightsOf(id === 1 ? 2 ** 24 : 1, id, 0, 0);
      expect(await client.report(work, { weights, message })).toEqual({ ok: true });
    }
    expect((await federation.server.done).status).toBe("completed");

    const { items, clients } = federation.rows[0]!;
    const lasting = Object.entries(items).filter(([name]) => !TIMES.includes(name));
    expect(Object.fromEntries(lasting)).toMatchObject({
      round: 1,
      train_loss: 0.6000000000000001 / 3,
      accuracy: 0.6000000000000001 / 3,
    });
    expect(clients.map(({ clientId }) => clientId)).toEqual([1, 2, 3]);
    const { data } = federation.checkpoints[0]!.weights.get("w")!;
    expect([...data]).toEqual([Math.fround(2 ** 24 / 3), 2, 0, 0]);
  },
);
