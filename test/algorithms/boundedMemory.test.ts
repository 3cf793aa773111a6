import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { algorithms, createOrderedFold } from "../../src/algorithms/index.js";
import { createPayloadStore } from "../../src/protocol/index.js";
import { encodeWeights, type Weights } from "../../src/weights/index.js";

setFlagsFromString("--expose-gc");
const gc = runInNewContext("gc") as () => void;

/** Twice, with a turn between: buffers are swept in the background. */
async function bytesHeld(): Promise<number> {
  for (let turn = 0; turn < 2; turn++) {
    gc();
    await setImmediate();
  }
  return process.memoryUsage().arrayBuffers;
}

const ELEMENTS = 2 ** 18;
/** Room for seven updates. */
const MEMORY = 8 * 1024 ** 2;

function model(value: number): Weights {
  return new Map([
    ["w", { dtype: "float32", shape: [ELEMENTS], data: new Float32Array(ELEMENTS).fill(value) }],
  ]);
}

/** Bytes held outside the heap while all clients but the first wait for their turn, and the result. */
async function round(clients: number): Promise<{ held: number; mean: number }> {
  const folder = await mkdtemp(join(tmpdir(), "elenchus-memory-"));
  const store = createPayloadStore({ folder, memoryBytes: MEMORY });
  const fedavg = await algorithms.lookup("fedavg")({});
  const fold = createOrderedFold({
    aggregation: fedavg.server.begin(model(0), 1),
    members: Array.from({ length: clients }, (_, index) => index + 1),
    order: "client",
  });
  const before = await bytesHeld();
  for (let clientId = clients; clientId > 1; clientId--) await arrive(clientId);
  const held = (await bytesHeld()) - before;
  await arrive(1);
  const { weights } = await fold.finish();
  await store.close();
  await rm(folder, { recursive: true });
  return { held, mean: weights.get("w")!.data[ELEMENTS - 1]! };

  async function arrive(clientId: number): Promise<void> {
    const payload = Buffer.concat(encodeWeights(model(clientId)));
    const sink = store.sink(payload.length);
    await sink.write(payload);
    fold.accept({ clientId, numSamples: 1, staleness: 0, weights: await sink.finish() });
  }
}

it("holds as many bytes for sixty waiting clients as for ten", async () => {
  const slack = 1024 ** 2;
  const few = await round(10);
  const many = await round(60);
  expect(few.held).toBeGreaterThan(MEMORY / 2);
  expect(few.held).toBeLessThan(MEMORY + slack);
  expect(many.held).toBeLessThan(few.held + slack);
  expect([few.mean, many.mean]).toEqual([5.5, 30.5]);
});
