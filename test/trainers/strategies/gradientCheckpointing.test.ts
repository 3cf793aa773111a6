import * as tf from "@tensorflow/tfjs-core";
import { expect, test } from "vitest";
import { createRandom } from "../../../src/base/index.js";
import { createModel } from "../../../src/models/index.js";
import { optimizers } from "../../../src/trainers/strategies/index.js";
import { CrossEntropyLoss, DefaultTrainingStep } from "../../../src/trainers/strategies/kit.js";
import "../../support/cpuTensors.js";
import { contextOf } from "../trainerParts.js";

const parameters = { n_layer: 6, n_head: 2, n_embd: 16, block_size: 32, dropout: 0.2 };

test.each(["AdamW", "Muon"])(
  "trainer.gradient_checkpointing trains with %s alike, in less memory",
  async (name) => {
    const [kept, again] = [await train(name, false), await train(name, true)];
    expect(again.losses).toEqual(kept.losses);
    expect(again.peakBytes).toBeLessThan(0.5 * kept.peakBytes);
    for (const [weight, values] of kept.weights) {
      const far = again.weights.get(weight)!.map((value, place) => Math.abs(value - values[place]!));
      expect(Math.max(...far), weight).toBeLessThan(1e-6);
    }
  },
);

/** Two steps of training from the same weights. */
async function train(name: string, recompute: boolean) {
  const model = await createModel(
    { model_name: "gpt" },
    { inputShape: [32], classes: 20, parameters, random: createRandom(1) },
  );
  const optimizer = (await optimizers.lookup(name)({}, { epochs: 1 })).createOptimizer(model, contextOf());
  const loss = new CrossEntropyLoss();
  const step = new DefaultTrainingStep(3, { recompute });
  step.onTrainStart(contextOf());
  const ids = Int32Array.from({ length: 4 * 33 }, (_, place) => (place * 7) % 20);
  const inputs = tf.tensor2d(ids.subarray(0, 128), [4, 32], "float32");
  const labels = tf.tensor2d(ids.subarray(1, 129), [4, 32], "int32");
  const losses: number[] = [];
  const before = tf.memory().numBytes;
  const { peakBytes } = await tf.profile(() => {
    for (let count = 0; count < 2; count++) {
      const context = contextOf();
      const computeLoss = (outputs: tf.Tensor, right: tf.Tensor) => loss.computeLoss(outputs, right);
      losses.push(step.trainingStep({ model, optimizer, inputs, labels, computeLoss, context }).loss);
    }
    return [];
  });
  const weights = new Map(
    [...model.weights()].map(([weight, { data }]) => [weight, Float32Array.from(data)]),
  );
  for (const one of [inputs, labels, optimizer, model]) one.dispose();
  return { losses, weights, peakBytes: peakBytes - before };
}
