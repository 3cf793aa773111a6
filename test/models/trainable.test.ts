import * as tf from "@tensorflow/tfjs-core";
import * as layers from "@tensorflow/tfjs-layers";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRandom } from "../../src/base/index.js";
import { createModel, type Model } from "../../src/models/index.js";
import { modelFromLayers } from "../../src/models/kit.js";
import { namePatterns } from "../../src/models/namePatterns.js";
import { restrictTraining } from "../../src/models/trainable.js";
import { AdamMoments } from "../../src/trainers/strategies/adamMoments.js";
import { DefaultTrainingStep } from "../../src/trainers/strategies/defaultTrainingStep.js";
import "../support/cpuTensors.js";

const word = fc.string({ unit: fc.constantFrom("a", "b", "+", "(", "1"), minLength: 1, maxLength: 3 });
const name = fc.array(word, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("."));

describe("patterns of names", () => {
  const chosen = (patterns: string[], names: string[]) => names.filter(namePatterns(patterns).chooses);

  test("fit whole names and the modules in front of their dots", () => {
    const names = ["fc1.weight", "fc1.bias", "fc10.weight", "a.fc1.weight"];
    expect(chosen(["fc1"], names)).toEqual(["fc1.weight", "fc1.bias"]);
    expect(chosen(["fc1.w*"], names)).toEqual(["fc1.weight"]);
    expect(chosen(["fc?"], names)).toEqual(["fc1.weight", "fc1.bias"]);
    expect(chosen(["*.weight"], names)).toEqual(["fc1.weight", "fc10.weight", "a.fc1.weight"]);
    expect(chosen(["*fc1"], names)).toEqual(["fc1.weight", "fc1.bias", "a.fc1.weight"]);
    expect(chosen(["weight"], names)).toEqual([]);
    expect(chosen(["fc.1"], ["fc.1", "fc.1.bias", "fcx1", "fc11.bias"])).toEqual(["fc.1", "fc.1.bias"]);
  });

  test("that begin with ! take out, and alone leave everything else", () => {
    const names = ["a.weight", "a.bias", "b.weight"];
    expect(chosen(["a", "!*.bias"], names)).toEqual(["a.weight"]);
    expect(chosen(["!*.bias", "a"], names)).toEqual(["a.weight"]);
    expect(chosen(["!b"], names)).toEqual(["a.weight", "a.bias"]);
  });

  test("take every character but *, ? and the first ! for itself", () => {
    fc.assert(
      fc.property(name, name, (pattern, other) => {
        const fits = namePatterns([pattern]).chooses(other);
        expect(fits).toBe(other === pattern || other.startsWith(`${pattern}.`));
      }),
    );
  });

  test("with stars and question marks fit what a matcher of two cursors fits", () => {
    const glob = fc
      .array(fc.oneof(word, fc.constantFrom("*", "?", ".")), { minLength: 1, maxLength: 5 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(glob, name, (pattern, other) => {
        const heads = [...other].flatMap((letter, at) => (letter === "." ? [other.slice(0, at)] : []));
        const expected = [other, ...heads].some((head) => fitsGlob(pattern, head));
        expect(namePatterns([pattern]).chooses(other)).toBe(expected);
      }),
    );
  });

  test("choose a weight as often as it is named once, and never one that is taken out", () => {
    fc.assert(
      fc.property(
        fc.array(name, { maxLength: 4 }),
        fc.array(name, { maxLength: 4 }),
        name,
        (take, leave, one) => {
          const all = namePatterns([...take, ...leave.map((pattern) => `!${pattern}`)]).chooses(one);
          const taken = take.length === 0 || take.some((pattern) => namePatterns([pattern]).chooses(one));
          expect(all).toBe(taken && !leave.some((pattern) => namePatterns([pattern]).chooses(one)));
        },
      ),
    );
  });
});

/** Each character of a pattern against each of a name, by the recursion that defines them. */
function fitsGlob(pattern: string, text: string): boolean {
  if (pattern === "") return text === "";
  if (pattern[0] === "*")
    return fitsGlob(pattern.slice(1), text) || (text !== "" && fitsGlob(pattern, text.slice(1)));
  return (
    text !== "" && (pattern[0] === "?" || pattern[0] === text[0]) && fitsGlob(pattern.slice(1), text.slice(1))
  );
}

const request = {
  inputShape: [3],
  classes: 2,
  parameters: { hidden_sizes: [4] },
  random: createRandom(1),
};
const network = (trainable?: string | string[]) =>
  createModel({ model_name: "multilayer", trainable }, request);

/** Two steps of AdamW. @returns tensors that the optimizer keeps */
function trainTwice(model: Model): number {
  const optimizer = new AdamMoments(
    { lr: 0.1, betas: [0.9, 0.999], eps: 1e-8, weight_decay: 0.1 },
    "weights",
  );
  const before = tf.memory().numTensors;
  for (let step = 0; step < 2; step++) {
    tf.tidy(() => {
      const inputs = tf.tensor2d([1, 2, 3], [1, 3]);
      const { grads } = tf.variableGrads(
        () => tf.sum(tf.square(model.forward(inputs, { training: true }))),
        [...model.variables.values()],
      );
      const gradients = [...model.variables].map(([weight, { name }]) => [weight, grads[name]!] as const);
      optimizer.step(model.variables, new Map(gradients));
    });
  }
  const kept = tf.memory().numTensors - before;
  optimizer.dispose();
  return kept;
}

describe("trainer.trainable", () => {
  test("lets what it names train and travel, and nothing else change a bit", async () => {
    const model = await network("fc2");
    const frozen = new Map([...model.frozen!].map(([weight, tensor]) => [weight, tensor.dataSync().slice()]));
    const before = model.weights();
    expect([...before.keys()]).toEqual(["fc2.weight", "fc2.bias", "frozen.sha256"]);
    // Two moments of each of two weights.
    expect(trainTwice(model)).toBe(4);
    expect(model.weights().get("fc2.weight")).not.toEqual(before.get("fc2.weight"));
    expect([...model.frozen!.keys()]).toEqual(["fc1.weight", "fc1.bias"]);
    for (const [weight, values] of frozen) expect(model.frozen!.get(weight)!.dataSync()).toEqual(values);
    model.loadWeights(before);
    expect(model.weights()).toEqual(before);
  });

  test("that is absent leaves everything to train, and nothing to compare", async () => {
    const model = await network();
    expect([...model.weights().keys()]).toEqual(["fc1.weight", "fc1.bias", "fc2.weight", "fc2.bias"]);
    expect(model.frozen!.size).toBe(0);
    expect(trainTwice(model)).toBe(8);
  });

  test("holds in the trainer's own step", async () => {
    const model = await network(["!fc1.weight"]);
    const kept = model.frozen!.get("fc1.weight")!.dataSync().slice();
    const step = new DefaultTrainingStep(1);
    const seen: string[] = [];
    const optimizer = {
      learningRate: 0.1,
      step: (variables: ReadonlyMap<string, tf.Variable>, gradients: ReadonlyMap<string, tf.Tensor>) => {
        seen.push(...variables.keys(), ...gradients.keys());
      },
      dispose: () => {},
    };
    await step.trainingStep({
      model,
      optimizer,
      inputs: tf.tensor2d([1, 2, 3], [1, 3]),
      labels: tf.tensor1d([1], "int32"),
      computeLoss: (outputs) => tf.sum(outputs) as tf.Scalar,
      context: { state: new Map() } as never,
    });
    const names = ["fc1.bias", "fc2.weight", "fc2.bias"];
    expect(seen).toEqual([...names, ...names]);
    expect(model.frozen!.get("fc1.weight")!.dataSync()).toEqual(kept);
  });

  test("of a model made of layers stops its moving averages too", () => {
    const stack = layers.sequential();
    const kernelInitializer = layers.initializers.glorotUniform({ seed: 3 });
    stack.add(layers.layers.dense({ units: 4, inputShape: [3], kernelInitializer }));
    stack.add(layers.layers.batchNormalization({ momentum: 0.5 }));
    stack.add(layers.layers.dense({ units: 2, kernelInitializer }));
    const model = modelFromLayers("stack", stack);
    restrictTraining(model, ["0", "2.bias"]);
    expect([...model.weights().keys()]).toEqual(["0.kernel", "0.bias", "2.bias", "frozen.sha256"]);
    const before = model.weights();
    const values = () => [...model.frozen!].map(([weight, tensor]) => [weight, [...tensor.dataSync()]]);
    const frozen = values();
    expect(trainTwice(model)).toBe(6);
    expect(values()).toEqual(frozen);
    expect(model.weights()).not.toEqual(before);
    model.loadWeights(before);
    expect(model.weights()).toEqual(before);
    model.dispose();
  });

  test.each<[string | string[], RegExp]>([
    ["fc3", /the pattern "fc3" fits no weight of multilayer. Near it: fc1, fc2, fc1.weight/],
    [["fc1", "fc2.wieght"], /the pattern "fc2.wieght" fits no weight of multilayer. Near it: fc2.weight/],
    ["!nothing.like.this", /the pattern "!nothing.like.this" fits no weight/],
    [["fc1", "!fc1"], /leaves no weight of multilayer that trains/],
  ])("%j is refused with what is near", async (trainable, message) => {
    const before = tf.memory().numTensors;
    await expect(network(trainable)).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringMatching(message),
    });
    expect(tf.memory().numTensors).toBe(before);
  });

  test("asks for a model that can freeze weights", () => {
    const model = { name: "mine", variables: new Map(), weights: () => new Map() } as unknown as Model;
    expect(() => restrictTraining(model, ["a"])).toThrow(
      expect.objectContaining({ code: "CAPABILITY_MISSING" }),
    );
  });
});
