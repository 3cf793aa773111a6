import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TrainTask } from "../../src/trainers/index.js";
import type { Weights } from "../../src/weights/index.js";
import "./fixtures/tinyWorld.js";
import { tinyConfig } from "./fixtures/tinyConfig.js";
import { type LoggedHost, tinyHost, unstopped } from "./fixtures/tinyHost.js";

const plain = tinyConfig({
  evaluation: [
    { type: "scalar_seen", on_clients: true, every: 2 },
    { type: "counting" },
    { type: "throws_text", on_clients: true, every: 2 },
    { type: "classification", name: "logged", on_clients: true, every: 2, log_samples: true },
  ],
});
// Keys of algorithms are no part of the section's own schema.
const config = { ...plain, algorithm: { type: "ditto", ditto_lambda: 0.5 } };

describe.each(["process", "worker"] as const)("a client's evaluators, in a %s", (where) => {
  const folder = mkdtempSync(join(tmpdir(), "elenchus-client-samples-"));
  let logged: LoggedHost;
  let weights: Weights;
  beforeAll(async () => {
    logged = await tinyHost(config, where);
    weights = await logged.host.initialWeights();
  });
  afterAll(async () => {
    await logged.host.close();
    rmSync(folder, { recursive: true });
  });

  const train = (task: Partial<TrainTask>) =>
    logged.host.train({ round: 1, clientId: 2, weights, test: true, state: new Map(), ...task }, unstopped);

  test("run after its test where they are due on clients, on the model that was tested", async () => {
    const { scalar, evaluations, state } = await train({ round: 2, samplesFolder: join(folder, "2") });

    expect(evaluations!.map(({ name, status }) => [name, status])).toEqual([
      ["scalar_seen", "ok"],
      ["throws_text", "failed"],
      ["logged", "ok"],
    ]);
    const [seen, , classified] = evaluations!;
    expect(seen!.result!.metrics).toEqual({ scalar: scalar!.value, client: 2, round: 2, rows: 30 });
    expect(classified!.result!.metrics.accuracy).toBe(scalar!.value);
    expect(classified!.sums.accuracy).toMatchObject({ denominator: 30, transform: "identity" });
    expect(readdirSync(join(folder, "2"))).toEqual(["2-logged-test.jsonl"]);
    // What they found is not taken for the client's own.
    expect([...state.keys()]).toEqual(["ditto"]);
  });

  test("are left alone in other rounds, and where the client does not test", async () => {
    expect((await train({ round: 1 })).evaluations).toBeUndefined();
    expect(await train({ round: 2, test: false })).toMatchObject({ scalar: null });
    expect((await train({ round: 2, test: false })).evaluations).toBeUndefined();
    expect(existsSync(join(folder, "1"))).toBe(false);
    // The last round of three.
    expect((await train({ round: 3 })).evaluations).toHaveLength(3);
  });

  test("see a personal model that goes on from the client's own state", async () => {
    const first = await train({});
    const again = await train({ round: 2, state: new Map(first.state) });
    const anew = await train({ round: 2 });

    expect(again.weights).toEqual(anew.weights);
    expect(again.state.get("ditto")).not.toEqual(anew.state.get("ditto"));
  });

  test("do not begin anew in silence where the client's state has got lost", async () => {
    await expect(train({ round: 2, lastRound: 1 })).rejects.toMatchObject({
      code: "CLIENT_STATE_LOST",
      message: expect.stringMatching(/Client 2 took part in round 1.*checkpoint_path.*disable_clients/),
    });
    expect((await train({ round: 2, lastRound: null })).numSamples).toBe(20);
  });
});
