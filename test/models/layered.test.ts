import * as tf from "@tensorflow/tfjs-core";
import { describe, expect, test } from "vitest";
import { createRandom } from "../../src/base/index.js";
import { normaliseBatch } from "../../src/models/batchNormalisation.js";
import { createModel, type Model, type ModelRequest } from "../../src/models/index.js";
import type { WeightArray } from "../../src/weights/index.js";
import { expectClose, expectTensors } from "../support/cpuTensors.js";
import { layeredGoldenSuite } from "./suites/layeredGoldenSuite.js";
import { modelSuite } from "./suites/modelSuite.js";

const build = (name: string, change: Partial<ModelRequest> = {}) =>
  createModel(
    { model_name: name },
    { inputShape: [32, 32, 3], classes: 10, parameters: {}, random: createRandom(1, "weights"), ...change },
  );

const small = { width: 2 };
modelSuite("resnet_18", () => build("resnet_18", { inputShape: [8, 8, 2], parameters: small }), [8, 8, 2]);
modelSuite("vgg_11", () => build("vgg_11", { inputShape: [16, 16, 1], parameters: small }), [16, 16, 1]);
modelSuite(
  "general_multilayer",
  () =>
    build("general_multilayer", {
      inputShape: [2, 3],
      parameters: { hidden_layers_dim: [4], batch_norms: [{}, null] },
    }),
  [2, 3],
);

layeredGoldenSuite("cpu", 1e-4);

/** Numbers that train. */
function trained(model: Model): number {
  return [...model.variables.values()].reduce((sum, { size }) => sum + size, 0);
}

describe("counts of trained weights, worked out by hand", () => {
  // A stage of w maps after v: 9vw + 9ww + 18ww + 8w, and vw + 2w for the shortcut where v is not w.
  const stage = (before: number, maps: number) =>
    9 * before * maps + 27 * maps * maps + 8 * maps + (before === maps ? 0 : before * maps + 2 * maps);
  const resnet = (width: number, stem: number) =>
    stem * 3 * width +
    2 * width +
    stage(width, width) +
    [1, 2, 4].reduce((sum, times) => sum + stage(width * times, width * times * 2), 0) +
    width * 8 * 10 +
    10;

  test("resnet_18: torchvision's with ten classes, and the form for CIFAR-10", () => {
    // 9,408 + 128 + 147,968 + 525,568 + 2,099,712 + 8,393,728 + 5,130.
    expect(resnet(64, 49)).toBe(11_181_642);
    expect(resnet(64, 9)).toBe(11_173_962);
  });

  test.each([
    ["cifar", 9],
    ["imagenet", 49],
  ])("a small resnet_18 with the stem %s", async (stem, area) => {
    const model = await build("resnet_18", { parameters: { width: 4, stem } });
    expect(trained(model)).toBe(resnet(4, area));
    model.dispose();
  });

  test("vgg_11", async () => {
    const layers = [3, 1, 2, 4, 4, 8, 8, 8, 8];
    const vgg = (width: number) => {
      const maps = layers.map((times, place) => (place === 0 ? times : times * width));
      const sums = maps.slice(1).map((outputs, place) => 9 * maps[place]! * outputs + 3 * outputs);
      return sums.reduce((sum, value) => sum + value, 0) + 8 * width * 10 + 10;
    };
    // 1,920 + 74,112 + 295,680 + 590,592 + 1,181,184 + 3 * 2,360,832 + 5,130.
    expect(vgg(64)).toBe(9_231_114);
    const model = await build("vgg_11", { parameters: { width: 4 } });
    expect(trained(model)).toBe(vgg(4));
    model.dispose();
  });

  test("the full size is that of the default width", async () => {
    const model = await build("vgg_11", { random: { ...createRandom(1), normal: () => 0, next: () => 0 } });
    expect(trained(model)).toBe(9_231_114);
    model.dispose();
  });
});

describe("batch normalisation", () => {
  test("by hand: batch statistics in training, a tenth of them into the running ones", async () => {
    const model = await build("general_multilayer", {
      inputShape: [1],
      classes: 0,
      parameters: { batch_norms: [{}] },
    });
    const one = (data: number) => ({ dtype: "float32", shape: [1], data: Float32Array.of(data) }) as const;
    model.loadWeights(
      new Map<string, WeightArray>([
        ["layer1.fc.weight", { dtype: "float32", shape: [1, 1], data: Float32Array.of(1) }],
        ["layer1.fc.bias", one(0)],
        ["layer1.bn.weight", one(2)],
        ["layer1.bn.bias", one(1)],
        ["layer1.bn.running_mean", one(0)],
        ["layer1.bn.running_var", one(1)],
      ]),
    );
    const inputs = tf.tensor2d([3, 5, 7, 9], [4, 1]);
    // Mean 6, variance 5; of a sample 20/3.
    const root = Math.sqrt(5 + 1e-5);
    expectClose(
      model.forward(inputs, { training: true }).dataSync(),
      [-3, -1, 1, 3].map((distance) => 1 + (2 * distance) / root),
    );
    expectClose(model.weights().get("layer1.bn.running_mean")!.data, [0.6]);
    expectClose(model.weights().get("layer1.bn.running_var")!.data, [0.9 + 2 / 3]);
    expectClose(model.forward(tf.tensor2d([[0.6]]), { training: false }).dataSync(), [1]);
    // A single row says nothing of a variance.
    const before = model.weights();
    expectClose(model.forward(tf.tensor2d([[50]]), { training: true }).dataSync(), [1]);
    expect(model.weights()).toEqual(before);
    model.dispose();
  });

  test("keeps nothing but outputs and statistics", async () => {
    const scale = tf.ones([2]);
    const inputs = tf.randomUniform([4, 3, 2], 0, 1, "float32", 5);
    await expectTensors(0, () => {
      tf.tidy(() => {
        const { outputs, batch } = normaliseBatch(inputs, { scale, shift: scale, epsilon: 1e-5 });
        tf.dispose([outputs, batch.mean, batch.variance]);
      });
    });
    tf.dispose([scale, inputs]);
  });

  test("statistics travel with the weights, and no optimizer sees them", async () => {
    const model = await build("resnet_18", { parameters: small });
    const names = [...model.weights().keys()].filter((name) => !model.variables.has(name));
    expect(names).toHaveLength(40);
    expect(names.slice(0, 2)).toEqual(["bn1.running_mean", "bn1.running_var"]);
    model.dispose();
  });

  test("statistics that are frozen stay, and normalise as they do out of training", async () => {
    const request = { inputShape: [8, 8, 3], classes: 2, parameters: small, random: createRandom(1) };
    const model = await createModel({ model_name: "resnet_18", trainable: ["fc"] }, request);
    expect([...model.weights().keys()]).toEqual(["fc.weight", "fc.bias", "frozen.sha256"]);
    const inputs = tf.randomUniform([2, 8, 8, 3], 0, 1, "float32", 3);
    const [training, testing] = [true, false].map((is) => model.forward(inputs, { training: is }).dataSync());
    expect(training).toEqual(testing);
    model.dispose();
  });
});

describe("general_multilayer", () => {
  const shapes = async (parameters: Record<string, unknown>, modelName?: string) => {
    const request = { inputShape: [2, 3], classes: 4, parameters, random: createRandom(1) };
    const named =
      modelName === undefined
        ? { model_name: "general_multilayer" }
        : { model_name: modelName, model_type: "general_multilayer" };
    const model = await createModel(named, request);
    return [...model.weights()].map(([name, { shape }]) => `${name} ${shape.join("x")}`);
  };

  test("is as Plato's keys say", async () => {
    const parameters = {
      input_dim: 6,
      hidden_layers_dim: [5],
      output_dim: 9,
      batch_norms: [{ momentum: 0.2 }, null],
    };
    expect(await shapes(parameters)).toEqual([
      "layer1.fc.weight 6x5",
      "layer1.fc.bias 5",
      "layer1.bn.weight 5",
      "layer1.bn.bias 5",
      "layer1.bn.running_mean 5",
      "layer1.bn.running_var 5",
      "layer2.fc.weight 5x9",
      "layer2.fc.bias 9",
    ]);
  });

  test("knows Plato's ready-made ones by trainer.model_name", async () => {
    expect(await shapes({}, "linear_mlp")).toEqual(["layer1.fc.weight 6x4", "layer1.fc.bias 4"]);
    expect((await shapes({}, "plato_multilayer")).filter((line) => line.includes("weight"))).toEqual([
      "layer1.fc.weight 6x1024",
      "layer2.fc.weight 1024x512",
      "layer3.fc.weight 512x256",
      "layer4.fc.weight 256x128",
      "layer5.fc.weight 128x4",
    ]);
  });

  test("leaves units out in training alone, and repeats itself", async () => {
    const parameters = { hidden_layers_dim: [40], dropout_ratios: 0.5, initialization: "he_normal" };
    const model = await build("general_multilayer", { inputShape: [4], parameters });
    const inputs = tf.ones([2, 4]);
    const trainedBy = (seed: number) => [
      ...model.forward(inputs, { training: true, random: createRandom(seed) }).dataSync(),
    ];
    expect(trainedBy(1)).toEqual(trainedBy(1));
    expect(trainedBy(1)).not.toEqual(trainedBy(2));
    const tested = [...model.forward(inputs, { training: false }).dataSync()];
    expect(tested.slice(0, 10)).toEqual(tested.slice(10));
    expect(() => model.forward(inputs, { training: true })).toThrow(
      expect.objectContaining({ code: "CAPABILITY_MISSING" }),
    );
    model.dispose();
  });

  test.each([
    [{ hidden_layers_dim: [5], batch_norms: [null] }, /batch_norms has 1 entries, but there are 2 layers/],
    [{ activations: ["relu", "relu"] }, /activations has 2 entries, but there are 1 layers/],
    [{ activations: ["gelu"] }, /activations/],
    [{ hidden_layers_dim: [5], dropout_ratios: [0.5] }, /dropout_ratios has 1 entries/],
    [{ input_dim: 7 }, /input_dim = 7, but an input of the data has 6 numbers/],
    [{ hidden_layer_dims: [5] }, /Did you mean "hidden_layers_dim"\?/],
  ])("refuses %j", async (parameters, message) => {
    await expect(shapes(parameters)).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringMatching(message),
    });
  });
});

describe("initialization", () => {
  const drawn = async (initialization: string, name = "lenet5") => {
    const model = await build(name, { inputShape: [28, 28, 1], parameters: { initialization } });
    const weights = model.weights();
    model.dispose();
    return weights;
  };
  const variance = (data: ArrayLike<number>) =>
    Array.from(data).reduce((sum, value) => sum + value ** 2, 0) / data.length;

  // fc3 of lenet5 is 400 x 120.
  test.each([
    ["he_normal", 2 / 400],
    ["kaiming_uniform", 2 / 400],
    ["xavier_uniform", 2 / 520],
    ["glorot_normal", 2 / 520],
    ["torch", 1 / (3 * 400)],
  ])("%s has the variance it should", async (scheme, expected) => {
    const weights = await drawn(scheme);
    expect(variance(weights.get("fc3.weight")!.data) / expected).toBeCloseTo(1, 1);
    const biases = variance(weights.get("fc3.bias")!.data);
    expect(biases > 0).toBe(scheme === "torch");
  });

  test("uniform ones keep to their limit", async () => {
    for (const [scheme, limit] of [
      ["he_uniform", Math.sqrt(6 / 400)],
      ["torch", 1 / 20],
    ] as const) {
      const largest = Math.max(...(await drawn(scheme)).get("fc3.weight")!.data.map(Math.abs));
      expect(largest).toBeLessThanOrEqual(Math.fround(limit));
      expect(largest).toBeGreaterThan(0.99 * limit);
    }
  });

  test("torchvision's convolutions go by what they feed", async () => {
    const model = await build("resnet_18", { parameters: { width: 8 } });
    // layer2.0.conv1 is 3x3 from 8 to 16 maps: 2 / (9 * 16).
    const { data } = model.weights().get("layer2.0.conv1.weight")!;
    expect(variance(data) / (2 / 144)).toBeCloseTo(1, 0);
    model.dispose();
  });

  test("follows from the seed, and names have two spellings", async () => {
    expect(await drawn("kaiming_normal")).toEqual(await drawn("he_normal"));
    expect(await drawn("xavier_normal")).toEqual(await drawn("glorot_normal"));
    expect(await drawn("he_normal")).not.toEqual(await drawn("he_uniform"));
  });

  test("of another name is an error that lists them", async () => {
    await expect(drawn("lecun")).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining("he_normal"),
    });
  });
});

test.each([
  ["resnet_18", [784], "sides from 1 up"],
  ["vgg_11", [15, 32, 3], "sides from 16 up"],
])("%s cannot take inputs %j", async (name, inputShape, message) => {
  await expect(build(name, { inputShape })).rejects.toMatchObject({
    code: "DATA_INVALID",
    message: expect.stringContaining(message),
  });
});
