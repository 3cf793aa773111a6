import * as tf from "@tensorflow/tfjs-core";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { createRandom } from "../../src/base/index.js";
import { createModel, type Model, type ModelRequest, modelCatalog, models } from "../../src/models/index.js";
import type { WeightArray } from "../../src/weights/index.js";
import { expectClose } from "../support/cpuTensors.js";
import { modelSuite } from "./suites/modelSuite.js";

const request = (change: Partial<ModelRequest> = {}): ModelRequest => ({
  inputShape: [28, 28, 1],
  classes: 10,
  parameters: {},
  random: createRandom(1, "weights"),
  ...change,
});
const build = (name: string, change: Partial<ModelRequest> = {}) =>
  createModel({ model_name: name }, request(change));

modelSuite("lenet5", () => build("lenet5", { inputShape: [12, 13, 2] }), [12, 13, 2]);
modelSuite(
  "lenet5 with batch normalisation",
  () => build("lenet5", { inputShape: [12, 13, 2], parameters: { batch_norm: true } }),
  [12, 13, 2],
);
modelSuite("multilayer", () => build("multilayer", { inputShape: [2, 3] }), [2, 3]);

/** The model's weights, all zero but those given by name and place. */
function sparseWeights(
  model: Model,
  entries: Record<string, Record<number, number>>,
): Map<string, WeightArray> {
  const weights = new Map<string, WeightArray>();
  for (const [name, { shape, data }] of model.weights()) {
    const values = new Float32Array(data.length);
    for (const [place, value] of Object.entries(entries[name] ?? {})) values[Number(place)] = value;
    weights.set(name, { dtype: "float32", shape, data: values });
  }
  return weights;
}

describe("lenet5", () => {
  test("has 61,706 weights on 28x28x1 inputs and ten classes", async () => {
    const weights = (await build("lenet5")).weights();
    expect([...weights].map(([name, { shape }]) => [name, shape])).toEqual([
      ["conv1.weight", [5, 5, 1, 6]],
      ["conv1.bias", [6]],
      ["conv2.weight", [5, 5, 6, 16]],
      ["conv2.bias", [16]],
      ["fc3.weight", [400, 120]],
      ["fc3.bias", [120]],
      ["fc4.weight", [120, 84]],
      ["fc4.bias", [84]],
      ["fc5.weight", [84, 10]],
      ["fc5.bias", [10]],
    ]);
    // 5*5*1*6+6 = 156, 5*5*6*16+16 = 2,416, 400*120+120 = 48,120, 120*84+84 = 10,164, 84*10+10 = 850.
    expect([...weights.values()].reduce((sum, { data }) => sum + data.length, 0)).toBe(61_706);
  });

  test("names some of what is missing, however many weights there are", async () => {
    const model = await build("lenet5");
    expect(() => model.loadWeights(new Map())).toThrow(
      /conv1\.weight is missing; conv1\.bias is missing; .* and 2 more\. They must/,
    );
  });

  test("pools where it should: one pixel's way through the network", async () => {
    const model = await build("lenet5");
    // Identity convolutions onto map 0; fc3 looks at row 1, column 2 of the second pooling, which covers
    // rows 2-3, columns 4-5 of the first one (conv2 is not padded, its corner tap copies), and so rows 4-7,
    // columns 8-11 of the image (conv1 is padded by two, its middle tap copies).
    model.loadWeights(
      sparseWeights(model, {
        "conv1.weight": { [(2 * 5 + 2) * 6]: 1 },
        "conv2.weight": { 0: 1 },
        "fc3.weight": { [(1 * 5 + 2) * 16 * 120]: 1 },
        "fc4.weight": { 0: 1 },
        "fc5.weight": { 3: 1 },
        "fc5.bias": { 0: 0.5 },
      }),
    );
    const image = new Float32Array(28 * 28);
    image[7 * 28 + 11] = 2;
    image[5 * 28 + 9] = 1;
    image[8 * 28 + 11] = 9;
    image[7 * 28 + 12] = 9;
    image[3 * 28 + 8] = 9;
    const negative = image.map((value) => -1 - value);
    const inputs = tf.tensor([...image, ...negative], [2, 28, 28, 1]);
    const outputs = model.forward(inputs, { training: false }).dataSync();
    expectClose(outputs.slice(0, 10), [0.5, 0, 0, 2, 0, 0, 0, 0, 0, 0]);
    expectClose(outputs.slice(10), [0.5, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  });

  test("has batch normalisation behind every layer but the last where it is asked for", async () => {
    const [plain, normalised] = [
      await build("lenet5"),
      await build("lenet5", { parameters: { batch_norm: true } }),
    ];
    const added = [...normalised.weights()].slice(plain.weights().size);
    const parts = ["weight", "bias", "running_mean", "running_var"];
    expect(added.map(([name, { shape }]) => [name, shape])).toEqual(
      [6, 16, 120, 84].flatMap((maps, place) => parts.map((part) => [`bn${place + 1}.${part}`, [maps]])),
    );
    // The first weights are the same ones; mean 0 and variance 1 divide by sqrt(1.00001), four times.
    const values = tf.randomUniform([2, 28, 28, 1], 0, 1, "float32", 7);
    const [one, other] = [plain, normalised].map((model) =>
      model.forward(values, { training: false }).dataSync(),
    );
    for (let at = 0; at < 20; at++) expect(other![at]! - one![at]!).toBeCloseTo(0, 3);

    // Whatever a layer's bias adds, the batch's mean takes away.
    const before = normalised.forward(values, { training: true }).dataSync();
    const shifted = new Map(normalised.weights());
    for (const layer of ["conv1", "conv2", "fc3", "fc4"]) {
      const { shape, data } = shifted.get(`${layer}.bias`)!;
      shifted.set(`${layer}.bias`, { dtype: "float32", shape, data: new Float32Array(data.length).fill(3) });
    }
    normalised.loadWeights(shifted);
    const after = normalised.forward(values, { training: true }).dataSync();
    for (let at = 0; at < 20; at++) expect(after[at]! - before[at]!).toBeCloseTo(0, 3);
  });

  test.each([[[784]], [[11, 28, 1]], [[28, 28]]])("cannot take inputs %j", async (inputShape) => {
    await expect(build("lenet5", { inputShape })).rejects.toMatchObject({
      code: "DATA_INVALID",
      message: expect.stringContaining(`inputs [${inputShape.join(", ")}]`),
    });
  });
});

describe("multilayer", () => {
  test("takes its hidden layers from the parameters", async () => {
    const shapes = async (parameters: Record<string, unknown>, classes: number) =>
      [...(await build("multilayer", { inputShape: [2, 3], classes, parameters })).weights()].map(
        ([name, { shape }]) => `${name} ${shape.join("x")}`,
      );
    expect(await shapes({}, 4)).toEqual([
      "fc1.weight 6x128",
      "fc1.bias 128",
      "fc2.weight 128x4",
      "fc2.bias 4",
    ]);
    expect(await shapes({ hidden_sizes: [] }, 0)).toEqual(["fc1.weight 6x1", "fc1.bias 1"]);
    expect(await shapes({ hidden_sizes: [5, 7], num_classes: 9 }, 4)).toEqual([
      "fc1.weight 6x5",
      "fc1.bias 5",
      "fc2.weight 5x7",
      "fc2.bias 7",
      "fc3.weight 7x9",
      "fc3.bias 9",
    ]);
  });

  test("computes layers by hand: ReLU between them, none at the end", async () => {
    const model = await build("multilayer", {
      inputShape: [2],
      classes: 2,
      parameters: { hidden_sizes: [2] },
    });
    const array = (shape: number[], ...data: number[]): WeightArray => ({
      dtype: "float32",
      shape,
      data: Float32Array.from(data),
    });
    model.loadWeights(
      new Map([
        ["fc1.weight", array([2, 2], 1, -1, 2, 0)],
        ["fc1.bias", array([2], 0.5, 1)],
        ["fc2.weight", array([2, 2], 1, -2, 3, 1)],
        ["fc2.bias", array([2], 0, -1)],
      ]),
    );
    // [1, 2] -> [1+4+0.5, -1+0+1] = [5.5, 0] -> [5.5, -11-1]; [2, -1] -> [2-2+0.5, -2+1] = [0.5, 0 by ReLU].
    const outputs = model.forward(tf.tensor2d([1, 2, 2, -1], [2, 2]), { training: true }).dataSync();
    expectClose(outputs, [5.5, -12, 0.5, -2]);
  });
});

describe("initial weights", () => {
  test("follow from the given generator alone", async () => {
    const draw = async (seed: number) => (await build("lenet5", { random: createRandom(seed) })).weights();
    expect(await draw(4)).toEqual(await draw(4));
    expect(await draw(4)).not.toEqual(await draw(5));
  });

  test("spread as He and Glorot ask, biases are zero", async () => {
    const weights = (await build("lenet5")).weights();
    const data = [...weights.get("fc3.weight")!.data];
    const variance = data.reduce((sum, value) => sum + value ** 2, 0) / data.length;
    expect(variance / (2 / 400)).toBeGreaterThan(0.97);
    expect(variance / (2 / 400)).toBeLessThan(1.03);
    const limit = Math.sqrt(6 / (84 + 10));
    const last = [...weights.get("fc5.weight")!.data].map(Math.abs);
    expect(Math.max(...last)).toBeLessThanOrEqual(Math.fround(limit));
    expect(Math.max(...last)).toBeGreaterThan(0.98 * limit);
    expect([...weights.get("conv2.bias")!.data].every((value) => value === 0)).toBe(true);
  });
});

describe("the configuration's model", () => {
  afterEach(() => models.unregister("custom"));

  test("is the type where one is given", async () => {
    const model = await createModel({ model_name: "anything", model_type: "multilayer" }, request());
    expect(model.name).toBe("multilayer");
  });

  test("has the depth of its name where the type is a family, as Plato writes it", async () => {
    const small = request({ parameters: { width: 1 }, inputShape: [16, 16, 1] });
    for (const [model_type, model_name] of [
      ["resnet", "resnet_34"],
      ["vgg", "vgg_13"],
    ] as const) {
      expect((await createModel({ model_type, model_name }, small)).name).toBe(model_name);
    }
    const deep = createModel({ model_type: "resnet", model_name: "resnet_50" }, small);
    await expect(deep).rejects.toThrow(
      'trainer.model_type = "resnet" with trainer.model_name = "resnet_50": expected resnet_18, resnet_34.',
    );
    const { check } = modelCatalog().find(({ name }) => name === "resnet")!;
    const faults = (model_name: string) =>
      check!({ trainer: { model_name }, parameters: {} } as never, undefined);
    expect(faults("resnet_18")).toEqual([]);
    expect(faults("resnet_50")).toMatchObject([{ path: ["trainer", "model_name"] }]);
  });

  test.each([
    [
      "lenet5",
      { hidden: 3 },
      /\[parameters.model\] of lenet5: unknown key "hidden". Known: num_classes, batch_norm, initialization/,
    ],
    ["multilayer", { hidden_size: [3] }, /unknown key "hidden_size". Did you mean "hidden_sizes"\?/],
    ["multilayer", { hidden_sizes: [0] }, /hidden_sizes.0 = 0/],
    ["multilayer", { num_classes: 9 }, /num_classes = 9, but the data has 10 classes/],
  ])("%s refuses the parameters %j", async (name, parameters, message) => {
    await expect(build(name, { parameters })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringMatching(message),
    });
  });

  test("may come from code, its parameters parsed by its own schema", async () => {
    const seen: unknown[] = [];
    const factory = (given: ModelRequest) => {
      seen.push(given.parameters);
      return {} as Model;
    };
    models.register(
      "custom",
      Object.assign(factory, { options: z.strictObject({ depth: z.int().default(2) }) }),
    );
    await build("custom");
    expect(seen).toEqual([{ depth: 2 }]);
    await expect(build("custom", { parameters: { width: 1 } })).rejects.toThrow(/unknown key "width"/);
  });

  test("from code that nobody registered is an error that says how to", async () => {
    await expect(build("custom")).rejects.toMatchObject({
      code: "NAME_UNKNOWN",
      message: expect.stringContaining('models.register("custom"'),
    });
  });

  test("is listed with its parameters", () => {
    expect(modelCatalog().map((entry) => [entry.name, entry.options !== undefined])).toEqual([
      ["custom", false],
      ["general_multilayer", true],
      ["gpt", true],
      ["gpt2", true],
      ["huggingface", false],
      ["lenet5", true],
      ["llama", true],
      ["mistral", true],
      ["multilayer", true],
      ["nanochat", true],
      ["qwen2", true],
      ["qwen3", true],
      ["resnet", true],
      ["resnet_18", true],
      ["resnet_34", true],
      ["vgg", true],
      ["vgg_11", true],
      ["vgg_13", true],
      ["vgg_16", true],
      ["vgg_19", true],
    ]);
  });
});
