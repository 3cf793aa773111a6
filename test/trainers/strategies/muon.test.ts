import * as tf from "@tensorflow/tfjs-core";
import { afterEach, describe, expect, test } from "vitest";
import { createRandom } from "../../../src/base/index.js";
import { createModel, type Model } from "../../../src/models/index.js";
import { Muon } from "../../../src/trainers/strategies/muon.js";
import { muonGroups } from "../../../src/trainers/strategies/muonGroups.js";
import { muonOptions } from "../../../src/trainers/strategies/muonOptions.js";
import { orthogonalise } from "../../../src/trainers/strategies/orthogonalise.js";
import { expectClose, expectTensors } from "../../support/cpuTensors.js";
import golden from "../goldens/muon.json" with { type: "json" };

const made: { dispose(): void }[] = [];
afterEach(() => {
  for (const one of made.splice(0)) one.dispose();
});

/** A model of nothing but these weights. */
function modelOf(weights: Readonly<Record<string, tf.Tensor>>, denseLayout: "out-in" | "in-out" = "out-in") {
  const variables = new Map(Object.entries(weights).map(([name, tensor]) => [name, tf.variable(tensor)]));
  for (const tensor of Object.values(weights)) tensor.dispose();
  made.push(...variables.values());
  return { name: "small", variables, denseLayout } as unknown as Model;
}

function muonOf(model: Model, parameters: Record<string, unknown>): Muon {
  const muon = new Muon(model, muonOptions.parse(parameters));
  made.push(muon);
  return muon;
}

function step(muon: Muon, model: Model, gradients: Record<string, tf.Tensor>): void {
  muon.step(model.variables, new Map(Object.entries(gradients)));
  for (const gradient of Object.values(gradients)) gradient.dispose();
}

const mapped = <T>(values: Record<string, number>, make: (value: number) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, make(value)]));

const NAME = "transformer.h.0.attn.c_q.weight";
const numbers = (model: Model, name = NAME) => [...model.variables.get(name)!.dataSync()];

describe("Muon by hand", () => {
  test("steps a single number by the rate, in the direction of Nesterov's momentum", () => {
    const model = modelOf({ [NAME]: tf.tensor2d([[1]]) });
    const muon = muonOf(model, { lr: 0.1, momentum: 0.5 });
    const walked = [1, -0.4, -0.01].map((gradient) => {
      step(muon, model, { [NAME]: tf.tensor2d([[gradient]]) });
      return numbers(model)[0]!;
    });
    // m = 0.5, 0.05, 0.02; u = (g + m) / 2 = 0.75, -0.175, 0.005, of which only the sign is left: neither that of m nor
    // that of g.
    expectClose(walked, [0.9, 1, 0.9]);
  });

  test("goes on from what another one remembers, AdamW's moments of the other weights too", () => {
    const walk = (pause: boolean) => {
      const model = modelOf({ [NAME]: tf.tensor2d([[1]]), "transformer.wte.weight": tf.tensor2d([[1]]) });
      let muon = muonOf(model, { lr: 0.1, momentum: 0.5 });
      for (const gradient of [1, -0.4, -0.01]) {
        if (pause) {
          const memory = muon.remembered();
          muon = muonOf(model, { lr: 0.1, momentum: 0.5 });
          muon.recall(memory);
        }
        const gradients = { [NAME]: gradient, "transformer.wte.weight": 2 * gradient };
        step(
          muon,
          model,
          mapped(gradients, (number) => tf.tensor2d([[number]])),
        );
      }
      return [...numbers(model), ...numbers(model, "transformer.wte.weight")];
    };
    expect(walk(true)).toEqual(walk(false));
  });

  test("makes the directions of a matrix equally long", () => {
    // The rows of diag(3, 4) get one norm; what is orthogonal to the diagonal is the identity.
    const model = modelOf({ [NAME]: tf.tensor2d([1, 2, 3, 4], [2, 2]) });
    step(muonOf(model, { lr: 0.1 }), model, { [NAME]: tf.tensor2d([3, 0, 0, 4], [2, 2]) });
    expectClose(numbers(model), [0.9, 2, 3, 3.9]);
  });

  test("steps a tall matrix further, by the root of outputs / inputs, and a wide one not", () => {
    // A column: both rows get one norm, the column the length 1, that is 0.1 * sqrt(2) / sqrt(2) for each.
    const tall = modelOf({ [NAME]: tf.tensor2d([[1], [1]]) });
    step(muonOf(tall, { lr: 0.1 }), tall, { [NAME]: tf.tensor2d([[3], [-4]]) });
    expectClose(numbers(tall), [0.9, 1.1]);
    // A row (3, -4) of length 1 is (0.6, -0.8); each column is divided by its own size, the whole is of length 1.
    const wide = modelOf({ [NAME]: tf.tensor2d([[1, 1]]) });
    step(muonOf(wide, { lr: 0.1 }), wide, { [NAME]: tf.tensor2d([[3, -4]]) });
    expectClose(numbers(wide), [1 - 0.1 * Math.SQRT1_2, 1 + 0.1 * Math.SQRT1_2]);
  });

  test("decays only what the step makes smaller anyway", () => {
    const model = modelOf({ [NAME]: tf.tensor2d([[2, -2]]) });
    const muon = muonOf(model, { lr: 0.1, weight_decay: 0.5 });
    muon.decayFactor = 0.2;
    step(muon, model, { [NAME]: tf.tensor2d([[1, 1]]) });
    // 2 - 0.1 / sqrt(2) - 0.1 * 0.5 * 0.2 * 2; -2 - 0.1 / sqrt(2), which grows and is left alone.
    expectClose(numbers(model), [2 - 0.1 * Math.SQRT1_2 - 0.02, -2 - 0.1 * Math.SQRT1_2]);
  });

  test("leaves a matrix without gradient where it is", () => {
    const model = modelOf({ [NAME]: tf.tensor2d([[1, 2]]) });
    step(muonOf(model, {}), model, { [NAME]: tf.tensor2d([[0, 0]]) });
    expectClose(numbers(model), [1, 2]);
  });

  test("knows outputs from inputs where dense weights lie the other way", () => {
    const values = [1, -2, 3, 0.5, -1, 2];
    const model = modelOf({ [NAME]: tf.tensor2d(values, [3, 2]) });
    const flipped = modelOf({ [NAME]: tf.tidy(() => tf.transpose(tf.tensor2d(values, [3, 2]))) }, "in-out");
    const gradient = [0.3, 0.1, -0.2, 0.4, 0.5, -0.6];
    const one = muonOf(model, { weight_decay: 0.1 });
    const other = muonOf(flipped, { weight_decay: 0.1 });
    for (const size of [1, -2]) {
      const given = () => tf.tidy(() => tf.mul(tf.tensor2d(gradient, [3, 2]), size));
      step(one, model, { [NAME]: given() });
      step(other, flipped, { [NAME]: tf.tidy(() => tf.transpose(given())) });
    }
    const back = tf.tidy(() => [...tf.transpose(flipped.variables.get(NAME)!).dataSync()]);
    expectClose(back, numbers(model));
  });
});

test("GPT-2's dense weights lie the other way, those of the others as PyTorch has them", async () => {
  const sizes = { n_layer: 1, n_head: 2, n_embd: 24 };
  expect((await build("gpt", { ...sizes, block_size: 8 })).denseLayout).toBe("in-out");
  expect((await build("nanochat", { ...sizes, sequence_len: 8 })).denseLayout).toBe("out-in");
});

describe("orthogonalisation", () => {
  test.each([
    [6, 6],
    [12, 4],
    [3, 10],
  ])("of %d x %d gives directions of nearly one length", (rows, columns) => {
    const random = createRandom(3, rows);
    const matrix = tf.tensor2d(
      Float32Array.from({ length: rows * columns }, () => random.normal()),
      [rows, columns],
    );
    const short = Math.min(rows, columns);
    const gram = tf.tidy(() => {
      const x = orthogonalise(matrix, 5);
      return tf.matMul(x, x, rows > columns, rows <= columns).arraySync() as number[][];
    });
    matrix.dispose();
    // The polynomials, one behind the other, take every number from 0.01 to 1 into 0.858 to 1.142: squares are within
    // 0.31 of 1. Their sum is exact.
    expect(gram.reduce((sum, row, place) => sum + row[place]!, 0)).toBeCloseTo(short, 4);
    for (const [row, line] of gram.entries()) {
      for (const [column, value] of line.entries()) {
        expect(Math.abs(value - (row === column ? 1 : 0))).toBeLessThan(0.31);
      }
    }
  });
});

test("Muon and AdamW together walk as PyTorch does, to 1e-5", async () => {
  const shapes: Record<string, number[]> = golden.shapes;
  const tensors = (values: Record<string, number[]>) =>
    Object.fromEntries(Object.entries(values).map(([name, flat]) => [name, tf.tensor(flat, shapes[name]!)]));
  const model = modelOf(tensors(golden.start));
  const muon = new Muon(model, muonOptions.parse(golden.options));
  const walk = () => {
    for (const [place, [rate, momentum, decay]] of golden.plan.entries()) {
      muon.learningRate = golden.options.lr * rate!;
      muon.momentum = momentum!;
      muon.decayFactor = decay!;
      step(muon, model, tensors(golden.gradients[place]!));
    }
    muon.dispose();
  };
  await expectTensors(0, walk);
  const end: Record<string, number[]> = golden.end;
  for (const [name, expected] of Object.entries(end)) {
    const far = numbers(model, name).map((value, place) => Math.abs(value - expected[place]!));
    expect(Math.max(...far), name).toBeLessThan(1e-5);
  }
});

test("steps leave no tensor but what is remembered, and that only until the end", async () => {
  const model = await build("nanochat", { n_layer: 2, n_head: 2, n_embd: 24, sequence_len: 8 });
  const muon = new Muon(model, muonOptions.parse({ weight_decay: 0.1 }));
  const once = () => {
    const given = Object.fromEntries([...model.variables].map(([name, { shape }]) => [name, tf.ones(shape)]));
    step(muon, model, given);
  };
  await expectTensors(2 * model.variables.size, once);
  await expectTensors(0, once);
  await expectTensors(-2 * model.variables.size, () => muon.dispose());
});

describe("which weights go which way", () => {
  test("in nanochat", async () => {
    const model = await build("nanochat", { n_layer: 2, n_head: 2, n_embd: 192, sequence_len: 8 });
    const { matrices, adam } = muonGroups(model, muonOptions.parse({}));
    const inBlocks = [...model.variables.keys()].filter((name) => name.startsWith("transformer.h."));
    expect([...matrices]).toEqual(inBlocks);
    expect(inBlocks).toContain("transformer.h.1.attn.ve_gate.weight");
    const settings = adam.map(({ names, options }) => [
      [...names],
      options.lr,
      options.betas,
      options.weight_decay,
    ]);
    // (192 / 768)^-0.5 = 2.
    expect(settings).toEqual(
      expect.arrayContaining([
        [["lm_head.weight"], 0.008, [0.8, 0.96], 0.01],
        [["transformer.wte.weight"], 0.4, [0.8, 0.995], 0.001],
        [["value_embeds.1.weight"], 0.2, [0.8, 0.995], 0.01],
        [["resid_lambdas"], 0.005, [0.8, 0.95], 0.05],
        [["x0_lambdas"], 0.5, [0.96, 0.95], 0],
        [["smear_lambda", "backout_lambda", "smear_gate.weight"], 0.2, [0.8, 0.95], 0],
      ]),
    );
    expect(settings).toHaveLength(6);
    expect(adam.every(({ options }) => options.eps === 1e-10)).toBe(true);
  });

  test.each([
    ["gpt", { n_layer: 2, n_head: 2, n_embd: 8, block_size: 12 }, 8],
    [
      "qwen3",
      {
        max_position_embeddings: 16,
        hidden_size: 8,
        intermediate_size: 12,
        num_hidden_layers: 2,
        num_attention_heads: 2,
        num_key_value_heads: 2,
        head_dim: 4,
      },
      14,
    ],
  ])("in %s: norms and biases are AdamW's", async (name, parameters, count) => {
    const model = await build(name, parameters);
    const { matrices, adam } = muonGroups(model, muonOptions.parse({}));
    expect(matrices.size).toBe(count);
    expect(adam.reduce((sum, { names }) => sum + names.size, matrices.size)).toBe(model.variables.size);
    for (const matrix of matrices) expect(matrix).not.toMatch(/norm|ln_|bias|embed/);
  });

  test("a model without blocks is refused", async () => {
    const model = await build("multilayer", {});
    expect(() => muonGroups(model, muonOptions.parse({}))).toThrow(
      expect.objectContaining({
        code: "CAPABILITY_MISSING",
        message: expect.stringContaining("multilayer has none"),
      }),
    );
  });
});

async function build(name: string, parameters: Record<string, unknown>): Promise<Model> {
  const model = await createModel(
    { model_name: name },
    { inputShape: [4], classes: 10, parameters, random: createRandom(1) },
  );
  made.push(model);
  return model;
}
