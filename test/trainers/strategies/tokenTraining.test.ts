import * as tf from "@tensorflow/tfjs-core";
import { afterEach, describe, expect, test } from "vitest";
import type { Optimizer } from "../../../src/algorithms/index.js";
import { createRandom } from "../../../src/base/index.js";
import { TrainingContext } from "../../../src/context/index.js";
import type { TextDataset } from "../../../src/data/index.js";
import { createModel, type Model } from "../../../src/models/index.js";
import { batchTensors } from "../../../src/trainers/batchTensors.js";
import { clipByNorm } from "../../../src/trainers/strategies/clipByNorm.js";
import { CrossEntropyLoss, DefaultTrainingStep, SgdStrategy } from "../../../src/trainers/strategies/kit.js";
import { expectClose, expectTensors } from "../../support/cpuTensors.js";
import { tokenRows, UnigramModel } from "../fixtures/unigramModel.js";

const loss = new CrossEntropyLoss();

/** Plain gradient descent by 1. */
const descent = () => new SgdStrategy({ lr: 1, momentum: 0, dampening: 0, weight_decay: 0, nesterov: false });

/** Keeps the gradients it is given, by update. */
class Recorder implements Optimizer {
  learningRate = 0;
  readonly updates: Map<string, number[]>[] = [];
  step(_: ReadonlyMap<string, tf.Variable>, gradients: ReadonlyMap<string, tf.Tensor>): void {
    this.updates.push(new Map([...gradients].map(([name, tensor]) => [name, [...tensor.dataSync()]])));
  }
  dispose(): void {}
}

/** One epoch over batches of rows, as the trainer makes it. */
async function epoch(
  { model, step, optimizer }: { model: Model; step: DefaultTrainingStep; optimizer: Optimizer },
  rows: TextDataset,
  batches: readonly (readonly number[])[],
) {
  const context = new TrainingContext({ clientId: 1, currentRound: 1 });
  step.onTrainStart(context);
  const outcomes = [];
  for (const [place, indices] of batches.entries()) {
    context.state.set("is_last_batch", place === batches.length - 1);
    const { inputs, labels } = batchTensors(rows.batch(indices));
    const computeLoss = (outputs: tf.Tensor, given: tf.Tensor) => loss.computeLoss(outputs, given);
    outcomes.push(step.trainingStep({ model, optimizer, inputs, labels, computeLoss, context }));
    tf.dispose([inputs, labels]);
  }
  return outcomes;
}

/** Row 0 has three labels, all 0; row 1 has one, a 1. */
const uneven = tokenRows([
  [1, 0, 0, 0],
  [0, null, 1, 1],
]);

describe("a step over tokens", () => {
  test("has the mean over labels as its loss, and asks for no logits but theirs", async () => {
    const model = new UnigramModel([Math.log(3), 0]);
    const optimizer = descent().createOptimizer();
    const outcomes = await epoch({ model, step: new DefaultTrainingStep(), optimizer }, uneven, [[0, 1]]);

    // Probabilities 3/4 and 1/4: three labels cost ln 4/3, one costs ln 4.
    const expected = (3 * Math.log(4 / 3) + Math.log(4)) / 4;
    expect(outcomes).toEqual([{ loss: expect.closeTo(expected, 6), weight: 4, updated: true }]);
    // b[0]: (3 (3/4 - 1) + 3/4) / 4 = 0, b[1] likewise: they are already the shares of the labels.
    expectClose(model.b, [Math.log(3), 0]);
    expect(model.logitRows).toEqual([4]);
  });

  test("gathers batches by their tokens, not by their means", async () => {
    const model = new UnigramModel([0, 0]);
    const step = new DefaultTrainingStep(1, { accumulationSteps: 2 });
    const optimizer = descent().createOptimizer();
    const outcomes = await epoch({ model, step, optimizer }, uneven, [[0], [1]]);

    expect(outcomes.map(({ weight, updated }) => [weight, updated])).toEqual([
      [3, false],
      [1, true],
    ]);
    // (3 (1/2 - 1) + 1/2) / 4 = -1/4; the mean of the two means would be 0.
    expectClose(model.b, [0.25, -0.25]);
  });

  test("makes the same update of two batches as of one, in a real network", async () => {
    const gpt = await createModel(
      { model_name: "gpt" },
      {
        inputShape: [16],
        classes: 7,
        parameters: { n_layer: 1, n_head: 2, n_embd: 8, block_size: 16 },
        random: createRandom(3),
      },
    );
    const rows = tokenRows(
      [
        [1, 2, 3, 4, 5, 6, 0],
        [3, null, 1, 2],
        [6, 5, null, 4, null, 3, 2],
      ],
      7,
    );
    const updates = async (accumulationSteps: number, batches: number[][]) => {
      const optimizer = new Recorder();
      await epoch(
        { model: gpt, step: new DefaultTrainingStep(1, { accumulationSteps }), optimizer },
        rows,
        batches,
      );
      expect(optimizer.updates).toHaveLength(1);
      return optimizer.updates[0]!;
    };
    const whole = await updates(1, [[0, 1, 2]]);
    const pieces = await updates(3, [[0], [1], [2]]);
    expect([...pieces.keys()]).toEqual([...whole.keys()]);
    for (const [name, gradient] of whole) expectClose(pieces.get(name)!, gradient);
    gpt.dispose();
  });

  test("makes an update of what is left at an epoch's end", async () => {
    const model = new UnigramModel([0, 0]);
    const step = new DefaultTrainingStep(1, { accumulationSteps: 2 });
    const outcomes = await epoch({ model, step, optimizer: new Recorder() }, uneven, [[0], [0], [1]]);
    expect(outcomes.map(({ updated }) => updated)).toEqual([false, true, true]);
    expect([step.updatesPerEpoch(3), step.updatesPerEpoch(4), step.updatesPerEpoch(1)]).toEqual([2, 2, 1]);
  });

  test("passes over a batch without labels, alone and among others", async () => {
    const silent = tokenRows([
      [0, null, 1],
      [0, 1],
    ]);
    const model = new UnigramModel([0, 0]);
    const optimizer = new Recorder();
    const alone = new DefaultTrainingStep();
    expect(await epoch({ model, step: alone, optimizer }, silent, [[0]])).toEqual([
      { loss: 0, weight: 0, updated: false },
    ]);
    const gathering = new DefaultTrainingStep(1, { accumulationSteps: 2 });
    await epoch({ model, step: gathering, optimizer }, silent, [[0], [1], [0]]);
    expect(optimizer.updates).toHaveLength(1);
    expectClose(optimizer.updates[0]!.get("b")!, [0.5, -0.5]);
  });

  test("clips what it has gathered", async () => {
    const model = new UnigramModel([0, 0]);
    const step = new DefaultTrainingStep(1, { accumulationSteps: 2, clipNorm: 0.1 });
    const optimizer = new Recorder();
    await epoch({ model, step, optimizer }, uneven, [[0], [1]]);
    // (-1/4, 1/4) has the norm 0.3536; each becomes 0.1 / sqrt(2).
    const each = 0.1 / Math.SQRT2;
    expectClose(optimizer.updates[0]!.get("b")!, [-each, each]);
  });

  test("hands the model its generator, and whether to compute twice", async () => {
    const model = new UnigramModel([0, 0]);
    const step = new DefaultTrainingStep(1, { recompute: true });
    await epoch({ model, step, optimizer: new Recorder() }, uneven, [[0]]);
    expect(model.passes).toEqual([{ training: true, random: expect.anything(), recompute: true }]);
  });

  test("keeps nothing, also when training stops while it gathers", async () => {
    const model = new UnigramModel([0, 0]);
    const step = new DefaultTrainingStep(1, { accumulationSteps: 4 });
    const optimizer = new Recorder();
    await expectTensors(0, async () => {
      for (let time = 0; time < 3; time++) {
        await epoch({ model, step, optimizer }, uneven, [[0], [1]]);
      }
      const { inputs, labels } = batchTensors(uneven.batch([0]));
      const computeLoss = (outputs: tf.Tensor, given: tf.Tensor) => loss.computeLoss(outputs, given);
      step.trainingStep({ model, optimizer, inputs, labels, computeLoss, context: new TrainingContext() });
      tf.dispose([inputs, labels]);
      step.teardown();
    });
  });
});

describe("clipping", () => {
  const gradients = () =>
    new Map<string, tf.Tensor>([
      ["one", tf.tensor1d([3])],
      ["other", tf.tensor2d([0, -4], [1, 2])],
    ]);
  const clipped = (most: number) =>
    [...clipByNorm(gradients(), most).values()].flatMap((tensor) => [...tensor.dataSync()]);

  afterEach(() => tf.disposeVariables());

  test("shortens all gradients as one vector", () => {
    // The norm is 5.
    expectClose(clipped(1), [0.6, 0, -0.8]);
    expectClose(clipped(2.5), [1.5, 0, -2]);
  });

  test("never lengthens them", () => {
    expect(clipped(6)).toEqual([3, 0, -4]);
    const nothing = new Map([["w", tf.zeros([2])]]);
    expect([...clipByNorm(nothing, 1).get("w")!.dataSync()]).toEqual([0, 0]);
  });
});
