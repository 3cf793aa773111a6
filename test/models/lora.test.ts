import * as tf from "@tensorflow/tfjs-core";
import { describe, expect, test } from "vitest";
import { createRandom } from "../../src/base/index.js";
import type { WeightOrder } from "../../src/compute/fused/index.js";
import type { ForwardPass } from "../../src/models/causal/forwardPass.js";
import { VariableCausalModel } from "../../src/models/causal/variableCausalModel.js";
import { mergedWeights } from "../../src/models/huggingFace/mergedWeights.js";
import { adaptModel, createModel } from "../../src/models/index.js";
import type { Weights } from "../../src/weights/index.js";
import { expectClose } from "../support/cpuTensors.js";

/** Token 0 is [1, 0], token 1 is [0, 1]; one layer gives the logits. */
class OneLayer extends VariableCausalModel {
  readonly contextLength = 4;
  readonly vocabularySize = 2;
  readonly #stored: WeightOrder;

  /** @param stored how [[1, 2], [3, 4]], [outputs, inputs], lies */
  constructor(stored: WeightOrder) {
    const weight = stored === "out-in" ? [1, 2, 3, 4] : [1, 3, 2, 4];
    super(
      "one layer",
      new Map([
        ["table.weight", { shape: [2, 2], values: Float32Array.of(1, 0, 0, 1) }],
        ["fc.weight", { shape: [2, 2], values: Float32Array.from(weight) }],
        ["fc.bias", { shape: [2], values: Float32Array.of(0, 10) }],
      ]),
      { model_type: "one" },
    );
    this.#stored = stored;
  }

  protected override compute(tokens: tf.Tensor2D, pass: ForwardPass): tf.Tensor2D {
    return this.linear(this.embed(tokens, "table.weight"), "fc", pass, this.#stored);
  }

  override logits(states: tf.Tensor2D): tf.Tensor2D {
    return states;
  }
}

const onFc = { target_modules: ["fc"], r: 1, lora_alpha: 3 };
const adapted = (stored: WeightOrder, lora: object = onFc, seed = 1) =>
  adaptModel(new OneLayer(stored), { lora: { ...lora }, random: createRandom(seed) });
/** A = [[1, -1]], B = [[2], [0.5]]. */
const withAB = async (stored: WeightOrder, lora: object = onFc) => {
  const model = await adapted(stored, lora);
  model.loadWeights(changed(model.weights(), { A: [1, -1], B: [2, 0.5] }));
  return model;
};
const changed = (weights: Weights, values: Record<string, number[]>): Weights =>
  new Map(
    [...weights].map(([name, array]) => {
      const given = values[/lora_(.)/.exec(name)?.[1] ?? ""];
      return [name, given ? { ...array, data: Float32Array.from(given) } : array];
    }),
  );
const logits = (model: VariableCausalModel, training = false, seed = 1) =>
  tf.tidy(() =>
    model
      .forwardTokens(tf.tensor2d([[0, 1]], undefined, "int32"), { training, random: createRandom(seed) })
      .dataSync(),
  );

describe.each<WeightOrder>(["out-in", "in-out"])("an adapter of a layer that lies %s", (stored) => {
  test("adds alpha / rank times B A to its layer", async () => {
    // W [1, 0] = [1, 3], A [1, 0] = 1, B 1 = [2, 0.5], three times that is [6, 1.5]; [0, 1] has the other sign.
    expectClose(logits(await withAB(stored)), [1 + 6, 3 + 1.5 + 10, 2 - 6, 4 - 1.5 + 10]);
  });

  test("adds alpha / sqrt(rank) times B A where rank stabilises it", async () => {
    const model = await adapted(stored, { ...onFc, r: 4, lora_alpha: 6, use_rslora: true });
    model.loadWeights(
      changed(model.weights(), { A: [1, -1, 0, 0, 0, 0, 0, 0], B: [2, 0, 0, 0, 0.5, 0, 0, 0] }),
    );
    expectClose(logits(model), [7, 14.5, -4, 12.5]);
  });

  test("is merged into the weight as it lies", async () => {
    // [[1, 2], [3, 4]] + 3 [[2, -2], [0.5, -0.5]]
    const weight = stored === "out-in" ? [7, -4, 4.5, 2.5] : [7, 4.5, -4, 2.5];
    const merged = mergedWeights(await withAB(stored));
    expect([...merged.keys()]).toEqual(["table.weight", "fc.weight", "fc.bias"]);
    expectClose(merged.get("fc.weight")!.data, weight);
    expectClose(merged.get("fc.bias")!.data, [0, 10]);
  });

  test("changes nothing at first", async () => {
    expectClose(logits(await adapted(stored)), [1, 13, 2, 14]);
  });
});

describe("dropout of an adapter", () => {
  const dropping = { ...onFc, lora_dropout: 0.5 };

  test("leaves out inputs of the adapter alone, in training alone", async () => {
    const model = await withAB("out-in", dropping);
    expectClose(logits(model, false), [7, 14.5, -4, 12.5]);
    const seen = new Set<string>();
    for (let seed = 0; seed < 40; seed++) seen.add([...logits(model, true, seed)].join());
    // Each token's one is left out, or counts twice.
    const first = ["1,13", "13,16"];
    const second = ["2,14", "-10,11"];
    expect([...seen].sort()).toEqual(first.flatMap((one) => second.map((other) => `${one},${other}`)).sort());
  });

  test("follows from the seed", async () => {
    const model = await withAB("out-in", dropping);
    const draws = (seed: number) => {
      const random = createRandom(seed);
      const tokens = tf.tensor2d([[0, 1, 0, 1]], undefined, "int32");
      return Array.from({ length: 8 }, () =>
        model.forwardTokens(tokens, { training: true, random }).dataSync().join(),
      );
    };
    expect(draws(5)).toEqual(draws(5));
    expect(draws(5)).not.toEqual(draws(6));
    expect(new Set(draws(5)).size).toBeGreaterThan(1);
  });
});

const request = (lora: object, seed = 1) => ({
  inputShape: [4],
  classes: 10,
  parameters: { n_layer: 2, n_head: 2, n_embd: 16, block_size: 8 },
  random: createRandom(seed),
  lora: { ...lora },
});
const gpt = async (lora: object, trainable?: string[], seed = 1) =>
  (await createModel({ model_name: "gpt", trainable }, request(lora, seed))) as VariableCausalModel;

describe("a model with adapters", () => {
  test("trains and sends A and B alone, and says what the rest is", async () => {
    const model = await gpt({ target_modules: ["c_attn"], r: 2 });
    const layers = ["transformer.h.0.attn.c_attn", "transformer.h.1.attn.c_attn"];
    const names = layers.flatMap((layer) => [`${layer}.lora_A.weight`, `${layer}.lora_B.weight`]);
    expect([...model.variables.keys()]).toEqual(names);
    expect([...model.weights()].map(([name, { dtype, shape }]) => [name, dtype, shape])).toEqual([
      [names[0], "float32", [2, 16]],
      [names[1], "float32", [48, 2]],
      [names[2], "float32", [2, 16]],
      [names[3], "float32", [48, 2]],
      ["frozen.sha256", "uint8", [32]],
    ]);
    expect(model.frozen.size).toBe(2 + 2 * 12 + 2);
  });

  test("draws A within one by the root of its inputs, or normal by its rank, and B at zero", async () => {
    const values = async (init: true | "gaussian", matrix: string, seed = 1) =>
      [...(await gpt({ r: 4, init_lora_weights: init }, undefined, seed)).weights()]
        .filter(([name]) => name.includes(matrix))
        .flatMap(([, { data }]) => [...data]);
    const a = await values(true, "lora_A");
    expect(Math.max(...a.map(Math.abs))).toBeLessThanOrEqual(0.25);
    // Of 128 numbers the mean square is that of the uniform distribution, 1 / 48, to a quarter.
    expect(meanSquare(a)).toBeGreaterThan(0.75 / 48);
    expect(meanSquare(a)).toBeLessThan(1.25 / 48);
    const normal = await values("gaussian", "lora_A");
    expect(Math.sqrt(meanSquare(normal))).toBeGreaterThan(0.2);
    expect(Math.sqrt(meanSquare(normal))).toBeLessThan(0.3);
    expect(new Set(await values(true, "lora_B"))).toEqual(new Set([0]));
    expect(await values(true, "lora_A")).toEqual(a);
    expect(await values(true, "lora_A", 2)).not.toEqual(a);
  });

  test("takes weights only where the rest is the same", async () => {
    const model = await gpt({});
    const same = await gpt({});
    model.loadWeights(same.weights());
    const other = await gpt({}, undefined, 2);
    expect(() => model.loadWeights(other.weights())).toThrow(
      expect.objectContaining({
        code: "WEIGHTS_INVALID",
        message: expect.stringMatching(/frozen weights with SHA-256 [0-9a-f]{64}, and those here have/),
      }),
    );
    const bare = new Map(model.weights());
    bare.delete("frozen.sha256");
    expect(() => model.loadWeights(bare)).toThrow(/SHA-256 unknown/);
  });

  test("has adapters in the blocks that are asked for", async () => {
    const names = async (lora: object) => [...(await gpt(lora)).lora!.adapters.keys()];
    expect(await names({ layers_to_transform: 1 })).toEqual(["transformer.h.1.attn.c_attn"]);
    const named = ["mlp.c_fc", "transformer.h.0.attn.c_proj"];
    // A whole name stands for itself.
    expect(await names({ target_modules: named, layers_to_transform: [1] })).toEqual([
      "transformer.h.0.attn.c_proj",
      "transformer.h.1.mlp.c_fc",
    ]);
    expect(
      await names({ target_modules: ["c_fc"], layers_to_transform: [0], layers_pattern: ["blocks", "h"] }),
    ).toEqual(["transformer.h.0.mlp.c_fc"]);
  });

  test("may train one of both matrices, or norms beside them", async () => {
    const half = await gpt({}, ["*.lora_B"]);
    expect([...half.variables.keys()].every((name) => name.endsWith(".lora_B.weight"))).toBe(true);
    const more = await gpt({}, ["*.lora_*", "*.ln_f"]);
    expect([...more.variables.keys()].filter((name) => !name.includes("lora"))).toEqual([
      "transformer.ln_f.weight",
      "transformer.ln_f.bias",
    ]);
  });

  test("has the gradients it would have when its blocks are computed again", async () => {
    const model = await gpt({ target_modules: "all-linear", lora_dropout: 0.3 });
    const tokens = tf.tensor2d([[1, 2, 3, 4]], undefined, "int32");
    model.loadWeights(
      new Map(
        [...model.weights()].map(([name, array]) => [
          name,
          name.includes("lora_B")
            ? { ...array, data: Float32Array.from(array.data, (_, at) => (at % 5) / 10) }
            : array,
        ]),
      ),
    );
    const gradients = (recompute: boolean) => {
      const { grads } = tf.variableGrads(() => {
        const options = { training: true, random: createRandom(3), recompute };
        return tf.sum(tf.square(model.forwardTokens(tokens, options)));
      }, [...model.variables.values()]);
      return [...model.variables.values()].map(({ name }) => [...grads[name]!.dataSync()]);
    };
    expect(gradients(true)).toEqual(gradients(false));
  });

  test.each<[string, object, RegExp]>([
    [
      "names no layer",
      { target_modules: ["c_attn", "c_fcc"] },
      /fits no linear layer of gpt: found "c_fcc"; expected names that end in c_attn, c_proj, c_fc, such as transformer.h.0.attn.c_attn, or "all-linear". Did you mean "c_fc"\?/,
    ],
    ["fits no layer by its expression", { target_modules: "c_attn" }, /found "c_attn"/],
    ["excludes all it names", { exclude_modules: "all|.*" }, /everything is excluded/],
    ["names the table of tokens", { target_modules: ["wte"] }, /found "wte"/],
    ["has a key of its own", { rank: 3 }, /unknown key "rank".*Known: r, lora_alpha/],
  ])("is not made from a table that %s", async (_, lora, message) => {
    await expect(gpt(lora)).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringMatching(message),
    });
  });

  test("is a language model", async () => {
    const network = { inputShape: [2], classes: 2, parameters: {}, random: createRandom(1), lora: {} };
    await expect(createModel({ model_name: "multilayer" }, network)).rejects.toMatchObject({
      code: "CAPABILITY_MISSING",
    });
  });
});

function meanSquare(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value * value, 0) / values.length;
}
