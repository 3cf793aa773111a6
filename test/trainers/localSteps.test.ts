import "../support/cpuTensors.js";
import * as tf from "@tensorflow/tfjs-core";
import { describe, expect, test } from "vitest";
import type { Optimizer, OptimizerStrategy } from "../../src/algorithms/index.js";
import { ComposableTrainer, optimizers } from "../../src/trainers/index.js";
import { joinedMemory, recallJoined } from "../../src/trainers/strategies/optimizerMemory.js";
import { LineFederation, lineClient, lineConfig } from "../algorithms/support/lines.js";
import { LineModel } from "./fixtures/lineModel.js";

describe("local steps in the place of epochs", () => {
  const made = async (trainer: object) => {
    const clients = [lineClient(1, { rows: 3 })];
    const federation = await LineFederation.start({ trainer: { batch_size: 1, ...trainer } }, clients);
    await federation.round();
    return federation.w;
  };
  /** Gradient descent of rate 0.1 on (w - 1)^2 keeps 0.8 of the distance. */
  const steps = (count: number) => 1 - 0.8 ** count;

  test("are as many updates, over as many passes as they take", async () => {
    expect(await made({})).toBeCloseTo(steps(3), 6);
    expect(await made({ local_steps_per_round: 2 })).toBeCloseTo(steps(2), 6);
    expect(await made({ local_steps_per_round: 7 })).toBeCloseTo(steps(7), 6);
  });

  test("count updates, however many batches make one", async () => {
    expect(await made({ local_steps_per_round: 2, gradient_accumulation_steps: 2 })).toBeCloseTo(steps(2), 6);
  });

  test("come to an end without rows", async () => {
    const config = lineConfig({ trainer: { local_steps_per_round: 2 } });
    const trainer = new ComposableTrainer({ config, model: () => new LineModel() });
    const report = await trainer.train({ trainset: lineClient(1), indices: new Int32Array(0) });
    await trainer.dispose();
    expect(report).toMatchObject({ numSamples: 0, trainLoss: null });
  });
});

describe("an optimizer that is preserved", () => {
  const momentum = { optimizer: { lr: 0.1, momentum: 0.5 } };

  test("goes on from its moments in the client's next round", async () => {
    const kept = await LineFederation.start(
      { trainer: { preserve_optimizer_state: true }, parameters: momentum },
      [lineClient(1)],
    );
    await kept.rounds(2);
    // -2: w = 0.2; -1.6 + 0.5 * -2 = -2.6: w = 0.46. Anew it would be 0.36.
    expect(kept.w).toBeCloseTo(0.46, 6);
    const anew = await LineFederation.start({ parameters: momentum }, [lineClient(1)]);
    await anew.rounds(2);
    expect(anew.w).toBeCloseTo(0.36, 6);
    expect(anew.clientStates.get(1)!.size).toBe(0);
  });

  test("is another one for a model of the client's own", async () => {
    const federation = await LineFederation.start(
      {
        algorithm: { type: "ditto", ditto_lambda: 0 },
        trainer: { preserve_optimizer_state: true },
        parameters: momentum,
      },
      [lineClient(1), lineClient(3)],
    );
    await federation.round();
    expect([...federation.clientStates.get(1)!.keys()].sort()).toEqual([
      "ditto",
      "optimizer_memory",
      "personal_optimizer_memory",
    ]);
  });

  test.each(["SGD", "Adam", "AdamW"])("%s makes the same steps as if it had never stopped", async (name) => {
    const options = name === "SGD" ? { lr: 0.1, momentum: 0.9 } : { lr: 0.1 };
    const strategy = (await optimizers.lookup(name)(options, { epochs: 1 })) as OptimizerStrategy;
    const make = () => strategy.createOptimizer({ variables: new Map() } as never, {} as never);
    const run = (parts: readonly number[][]) => {
      const variable = tf.variable(tf.tensor1d([1, -2]));
      let optimizer: Optimizer = make();
      for (const [index, gradients] of parts.entries()) {
        if (index > 0) {
          const memory = joinedMemory([optimizer]);
          optimizer.dispose();
          optimizer = make();
          recallJoined([optimizer], memory);
        }
        for (const gradient of gradients) {
          optimizer.step(new Map([["w", variable]]), new Map([["w", tf.tensor1d([gradient, -gradient])]]));
        }
      }
      optimizer.dispose();
      return variable.dataSync();
    };
    expect(run([[1, 0.5], [0.25]])).toEqual(run([[1, 0.5, 0.25]]));
  });

  test("that cannot say what it remembers is an error", () => {
    expect(() => joinedMemory([{ learningRate: 1, step() {}, dispose() {} }])).toThrow(
      expect.objectContaining({ code: "CAPABILITY_MISSING" }),
    );
  });
});
