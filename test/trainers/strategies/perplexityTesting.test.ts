import * as tf from "@tensorflow/tfjs-core";
import { beforeAll, describe, expect, test } from "vitest";
import { createRandom } from "../../../src/base/index.js";
import { createModel, type Model } from "../../../src/models/index.js";
import { PerplexityTesting } from "../../../src/trainers/strategies/kit.js";
import { expectTensors } from "../../support/cpuTensors.js";
import { tokenRows, UnigramModel } from "../fixtures/unigramModel.js";
import { modelOf } from "../trainerParts.js";

const testing = new PerplexityTesting();
/** Labels 0, 0, 0 in one row, and 1 in the other. */
const rows = tokenRows([
  [1, 0, 0, 0],
  [0, null, 1, 1],
]);
const perplexity = (model: Model, indices?: Int32Array, batch_size = 32) =>
  testing.testModel(model, { batch_size }, rows, indices);

describe("perplexity", () => {
  let model: Model;
  beforeAll(() => {
    tf.disposeVariables();
    model = new UnigramModel([Math.log(3), 0]);
  });

  test("has its name, and lower is better", () => {
    expect([testing.metricName, testing.higherIsBetter]).toEqual(["perplexity", false]);
  });

  test("is exp of the loss of all tokens over their number", async () => {
    // Probabilities 3/4 and 1/4: exp((3 ln 4/3 + ln 4) / 4). Of the rows' own, 4/3 and 4, it is no mean.
    const expected = (4 / 3) ** (3 / 4) * 4 ** (1 / 4);
    expect(await perplexity(model)).toBeCloseTo(expected, 6);
    expect(await perplexity(model, undefined, 1)).toBeCloseTo(expected, 6);
  });

  test("is the size of the vocabulary for a model that knows nothing", async () => {
    expect(await perplexity(new UnigramModel([0, 0]))).toBeCloseTo(2, 6);
  });

  test("uses only the rows it is given", async () => {
    expect(await perplexity(model, Int32Array.of(1))).toBeCloseTo(4, 5);
    expect(await perplexity(model, Int32Array.of(0))).toBeCloseTo(4 / 3, 6);
  });

  test("is that of the model's own logits at every place", async () => {
    const gpt = await createModel(
      { model_name: "gpt" },
      {
        inputShape: [16],
        classes: 5,
        parameters: { n_layer: 1, n_head: 1, n_embd: 4, block_size: 16 },
        random: createRandom(7),
      },
    );
    const text = tokenRows(
      [
        [1, 2, null, 3, 4],
        [4, 0],
      ],
      5,
    );
    const logits = gpt.forward(tf.tensor2d([1, 2, 3, 4, 0, 0], [2, 3]), { training: false });
    const logs = tf.logSoftmax(logits).arraySync() as number[][][];
    const sum = logs[0]![0]![2]! + logs[0]![2]![4]! + logs[1]![0]![0]!;
    expect(await testing.testModel(gpt, {}, text, undefined)).toBeCloseTo(Math.exp(-sum / 3), 4);
    gpt.dispose();
  });

  test("refuses a test without labels, and a model that reads no tokens", async () => {
    await expect(perplexity(model, new Int32Array(0))).rejects.toMatchObject({ code: "DATA_INVALID" });
    const silent = tokenRows([[0, null, 1]]);
    await expect(testing.testModel(model, {}, silent, undefined)).rejects.toMatchObject({
      code: "DATA_INVALID",
    });
    await expect(perplexity(modelOf())).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });

  test("leaves no tensors behind", async () => {
    await expectTensors(0, () => perplexity(model));
  });
});
