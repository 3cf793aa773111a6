import "../support/cpuTensors.js";
import * as tf from "@tensorflow/tfjs-core";
import * as layers from "@tensorflow/tfjs-layers";
import { describe, expect, it } from "vitest";
import { algorithms, contentsOf } from "../../src/algorithms/index.js";
import { LocalSteps, mostRelativeSteps } from "../../src/algorithms/localSteps.js";
import { batchNormalisation } from "../../src/algorithms/parameters.js";
import { ArrayDataset } from "../../src/data/index.js";
import { modelFromLayers } from "../../src/models/kit.js";
import { checkUpdate } from "../../src/server/updateCheck.js";
import { layoutOf, type Weights } from "../../src/weights/index.js";
import { OffsetModel } from "../trainers/fixtures/lineModel.js";
import { LineFederation, lineClient, lineConfig } from "./support/lines.js";
import { floats, sourceOf, updateOf } from "./updates.js";

const kept = (federation: LineFederation, client: number, key: string) =>
  (federation.clientStates.get(client)!.get(key) as Weights).get("w")!.data[0]!;

const nova = await algorithms.lookup("fednova")({});

describe("FedProx", () => {
  it("steps along the gradient with the pull to the global weights", async () => {
    const steps = { trainer: { epochs: 2 }, algorithm: { type: "fedprox", fedprox_mu: 1 } };
    const pulled = await LineFederation.start(steps, [lineClient(1)]);
    const { outcomes } = await pulled.round();
    // Gradient -2: w = 0.2; then 2 * (0.2 - 1) + 1 * (0.2 - 0) = -1.4: w = 0.34. The loss is that of the data.
    expect(pulled.w).toBeCloseTo(0.34, 6);
    expect(outcomes[0]!.trainLoss).toBeCloseTo(0.64, 6);

    const free = await LineFederation.start({ ...steps, algorithm: { type: "fedprox", fedprox_mu: 0 } }, [
      lineClient(1),
    ]);
    await free.round();
    expect(free.w).toBeCloseTo(0.36, 6);
  });

  it("takes Plato's name for its strength", async () => {
    const federation = await LineFederation.start(
      {
        trainer: { epochs: 2 },
        algorithm: { type: "fedprox" },
        clients: { proximal_term_penalty_constant: 1 },
      },
      [lineClient(1)],
    );
    await federation.round();
    expect(federation.w).toBeCloseTo(0.34, 6);
  });

  it("adds the pull once to gradients that several batches make", async () => {
    const batches = { epochs: 2, batch_size: 1, gradient_accumulation_steps: 2 };
    const federation = await LineFederation.start(
      { trainer: batches, algorithm: { type: "fedprox", fedprox_mu: 1 } },
      [lineClient(1, { rows: 2 })],
    );
    await federation.round();
    expect(federation.w).toBeCloseTo(0.34, 6);
  });
});

describe("SCAFFOLD", () => {
  const twoLines = () =>
    LineFederation.start({ algorithm: { type: "scaffold" } }, [lineClient(1), lineClient(3)]);

  it("makes two rounds as worked out by hand", async () => {
    const federation = await twoLines();
    await federation.round();
    // y1 = 0.2, y2 = 0.6; c1 = -0.2 / 0.1 = -2, c2 = -6; x = 0.4, c = -4.
    expect(federation.w).toBeCloseTo(0.4, 6);
    expect(kept(federation, 1, "scaffold")).toBeCloseTo(-2, 5);
    expect(kept(federation, 2, "scaffold")).toBeCloseTo(-6, 5);
    expect(federation.state!.get("control/w")!.data[0]).toBeCloseTo(-4, 5);

    await federation.round();
    // -1.2 + 2 - 4 = -3.2 and -5.2 + 6 - 4 = -3.2: both y = 0.72. c1 = -2 + 4 - 3.2 = -1.2, c2 = -5.2, c = -3.2.
    expect(federation.w).toBeCloseTo(0.72, 6);
    expect(kept(federation, 1, "scaffold")).toBeCloseTo(-1.2, 5);
    expect(kept(federation, 2, "scaffold")).toBeCloseTo(-5.2, 5);
    expect(federation.state!.get("control/w")!.data[0]).toBeCloseTo(-3.2, 5);
  });

  it("changes the server's control variate by the share of clients that took part", async () => {
    const federation = await LineFederation.start({ algorithm: { type: "scaffold" } }, [
      lineClient(1),
      lineClient(3),
      lineClient(5),
      lineClient(7),
    ]);
    await federation.round([1, 2]);
    // 2 of 4, mean of -2 and -6.
    expect(federation.state!.get("control/w")!.data[0]).toBeCloseTo(-2, 5);
  });

  it("finds the mean gradient behind momentum too", async () => {
    const federation = await LineFederation.start(
      {
        algorithm: { type: "scaffold" },
        trainer: { epochs: 2 },
        parameters: { optimizer: { lr: 0.1, momentum: 0.5 } },
      },
      [lineClient(1)],
    );
    await federation.round();
    // -2: w = 0.2; g = -1.6, b = -1 - 1.6 = -2.6: w = 0.46. Distance 0.1 * (1 + 1.5) = 0.25: c1 = -0.46 / 0.25.
    expect(federation.w).toBeCloseTo(0.46, 6);
    expect(kept(federation, 1, "scaffold")).toBeCloseTo(-1.84, 5);
  });

  it("is refused with an optimizer whose steps tell nothing of gradients", () => {
    const { check } = algorithms.lookup("scaffold");
    expect(check!(lineConfig({ trainer: { optimizer: "AdamW" } }), undefined)).toMatchObject([
      { path: ["trainer", "optimizer"] },
    ]);
    expect(check!(lineConfig(), undefined)).toEqual([]);
  });
});

describe("FedDyn", () => {
  it("makes two rounds as worked out by hand", async () => {
    const federation = await LineFederation.start({ algorithm: { type: "feddyn", alpha_coef: 1 } }, [
      lineClient(1),
      lineClient(3),
    ]);
    await federation.round();
    // 0.2 and 0.6; g = -0.2 and -0.6; h = -0.4; w = 0.4 + 0.4.
    expect(federation.w).toBeCloseTo(0.8, 6);
    expect(kept(federation, 1, "feddyn")).toBeCloseTo(-0.2, 6);
    await federation.round();
    // -0.4 + 0.2 = -0.2: 0.82; -4.4 + 0.6 = -3.8: 1.18; mean 1, h = -0.4 - 0.2 = -0.6; w = 1.6.
    expect(federation.w).toBeCloseTo(1.6, 6);
    expect(kept(federation, 1, "feddyn")).toBeCloseTo(-0.22, 6);
    expect(kept(federation, 2, "feddyn")).toBeCloseTo(-0.98, 6);
  });

  it("pulls to the global weights from the second step on", async () => {
    const federation = await LineFederation.start(
      { trainer: { epochs: 2 }, algorithm: { type: "feddyn", alpha_coef: 1 } },
      [lineClient(1)],
    );
    await federation.round();
    // 0.2, then -1.6 + 1 * 0.2 = -1.4: 0.34; h = -0.34; w = 0.34 + 0.34.
    expect(federation.w).toBeCloseTo(0.68, 6);
  });
});

describe("FedNova", () => {
  const withSteps = (weights: Weights, a: number): Weights =>
    new Map([...weights, ["~fednova.steps", { dtype: "float32", shape: [], data: Float32Array.of(a) }]]);
  const steps = (clientId: number, samples: number, weights: Weights, a: number) => ({
    ...updateOf(clientId, samples, withSteps(weights, a)),
    scalars: new Map([["~fednova.steps", a]]),
  });
  const fold = async (...updates: ReturnType<typeof steps>[]) => {
    const aggregation = nova.server.begin(floats(1), 1);
    for (const update of updates) await aggregation.fold(update);
    return (await aggregation.finish()).get("w")!.data[0];
  };

  it("normalises changes by local steps as worked out by hand", async () => {
    // p = 1/4, 3/4; a = 0.25 * 1 + 0.75 * 2 = 1.75; changes 1 / 1 and 4 / 2: 0.25 + 1.5 = 1.75; 1 + 1.75^2.
    expect(await fold(steps(1, 1, floats(2), 1), steps(2, 3, floats(5), 2))).toBeCloseTo(4.0625, 5);
  });

  it("is federated averaging where all make the same steps", async () => {
    // (2 + 3 * 6) / 4
    expect(await fold(steps(1, 1, floats(2), 0.3), steps(2, 3, floats(6), 0.3))).toBeCloseTo(5, 5);
  });

  it("hears nothing of a client that made no step", async () => {
    expect(await fold(steps(1, 9, floats(100), 0), steps(2, 3, floats(5), 2))).toBeCloseTo(5, 5);
    expect(await fold(steps(1, 9, floats(100), 0))).toBe(1);
  });

  it("refuses steps that no training makes at the door", async () => {
    const contents = contentsOf(nova.server, layoutOf(floats(1)));
    const check = (a: number) => checkUpdate(sourceOf(withSteps(floats(1), a)), contents, "reject");
    for (const a of [-1, 2e6]) {
      expect(await check(a)).toMatchObject({
        good: false,
        message: expect.stringContaining("fednova.steps"),
      });
    }
    expect(await check(Number.NaN)).toMatchObject({ good: false, code: "not_finite" });
    expect(await check(3)).toMatchObject({ good: true, scalars: new Map([["~fednova.steps", 3]]) });
    expect(await checkUpdate(sourceOf(floats(1)), contents, "reject")).toMatchObject({
      good: false,
      code: "wrong_layout",
    });
  });

  it("refuses steps by which a client would own the mean, or stretch the step of all", async () => {
    // 2 epochs of at most 40 rows in batches of 16: 2 * 3 updates, each at most 1 / (1 - 0.5) long.
    const plain = lineConfig({
      trainer: { epochs: 2, batch_size: 16 },
      parameters: { optimizer: { lr: 0.1, momentum: 0.5 } },
    });
    const config = { ...plain, data: { ...plain.data, sampler: "iid", partition_size: 40 } };
    const { server } = await algorithms.lookup("fednova")({}, config);
    const contents = contentsOf(server, layoutOf(floats(1)));
    const check = (a: number) => checkUpdate(sourceOf(withSteps(floats(1), a)), contents, "reject");
    for (const a of [1e-30, 0.99, 12.1]) {
      const refused = {
        good: false,
        code: "out_of_range",
        message: expect.stringMatching(/expected 0, or 1 to 12\.0/),
      };
      expect([a, await check(a)]).toEqual([a, refused]);
    }
    for (const a of [0, 1, 12]) expect([a, (await check(a)).good]).toEqual([a, true]);
  });
});

describe("local steps", () => {
  const distance = (optimizer: string, options: object) => {
    const steps = new LocalSteps(lineConfig({ trainer: { optimizer }, parameters: { optimizer: options } }));
    for (let update = 0; update < 3; update++) steps.count(0.1);
    return steps.distance;
  };

  it.each([
    // A gradient of 1 gathers 1, 1.9, 2.71.
    ["of momentum", "SGD", { lr: 0.1, momentum: 0.9 }, 0.561],
    // 1 + 0.9 * each of them.
    ["of Nesterov's momentum", "SGD", { lr: 0.1, momentum: 0.9, nesterov: true }, 0.8049],
    // 1, 0.9 + 0.5, 1.26 + 0.5.
    ["of dampened momentum", "SGD", { lr: 0.1, momentum: 0.9, dampening: 0.5 }, 0.416],
    ["of plain SGD", "SGD", { lr: 0.1 }, 0.3],
    ["of Adam, as plain ones", "Adam", { lr: 0.1, momentum: 0.9 }, 0.3],
  ] as const)("%s are measured by what a gradient of 1 would do", (_, optimizer, options, expected) => {
    expect(distance(optimizer, options)).toBeCloseTo(expected, 9);
  });

  it("count by the first rate that is not 0, and never less than 1", () => {
    const steps = new LocalSteps(lineConfig({ parameters: { optimizer: { lr: 0.1 } } }));
    expect(steps.relative).toBe(0);
    for (const rate of [0, 0.1, 0.05]) steps.count(rate);
    // (0.1 + 0.05) / 0.1
    expect(steps.relative).toBeCloseTo(1.5, 12);
  });

  it.each([
    // 3 epochs of ceil(10 / 4) updates.
    [{ epochs: 3, batch_size: 4 }, { lr: 0.1 }, 10, 9],
    [{ local_steps_per_round: 5 }, { lr: 0.1, momentum: 0.75 }, undefined, 20],
    [{ optimizer: "AdamW", epochs: 1, batch_size: 10 }, { momentum: 0.9 }, 10, 1],
    [{ epochs: 1 }, { lr: 0.1 }, undefined, undefined],
    [{ epochs: 1, lr_scheduler: "CyclicLR" }, { lr: 0.1 }, 10, undefined],
  ])("of %j with %j are bounded where the configuration bounds them", (trainer, optimizer, samples, most) => {
    const found = mostRelativeSteps(lineConfig({ trainer, parameters: { optimizer } }), samples);
    if (most === undefined) expect(found).toBeUndefined();
    else expect(found).toBeCloseTo(most, 9);
  });
});

describe("Ditto", () => {
  it("trains a model of the client's own beside the global one", async () => {
    const federation = await LineFederation.start({ algorithm: { type: "ditto", ditto_lambda: 1 } }, [
      lineClient(1),
      lineClient(3),
    ]);
    await federation.round();
    // Both begin at 0, where nothing pulls: v = 0.2.
    expect(kept(federation, 1, "ditto")).toBeCloseTo(0.2, 6);
    const { outcomes } = await federation.round();
    // w = 0.4: v follows 2 * (0.2 - 1) + (0.2 - 0.4) = -1.8 to 0.38; what is sent follows -1.2 to 0.52.
    expect(kept(federation, 1, "ditto")).toBeCloseTo(0.38, 6);
    expect(outcomes[0]!.weights.get("w")!.data[0]).toBeCloseTo(0.52, 6);
    // Tested is the client's own.
    expect(outcomes[0]!.scalar!.value).toBeCloseTo(0.62 ** 2, 6);
  });

  it("can train its own model for longer", async () => {
    const federation = await LineFederation.start(
      { algorithm: { type: "ditto", ditto_lambda: 0, personalization_epochs: 2 } },
      [lineClient(1)],
    );
    await federation.round();
    expect(federation.w).toBeCloseTo(0.2, 6);
    expect(kept(federation, 1, "ditto")).toBeCloseTo(0.36, 6);
  });
});

describe("layers that stay with clients", () => {
  const points = (label: number) =>
    new ArrayDataset({
      inputs: Float32Array.of(1),
      inputShape: [1],
      labels: Float32Array.of(label),
      classes: 0,
    });

  it("are found again by their client and never sent", async () => {
    const federation = await LineFederation.start(
      { algorithm: { type: "fedper", local_layer_names: ["offset"] } },
      [points(1), points(12)],
      () => new OffsetModel(),
    );
    const { outcomes } = await federation.round();
    // y = w + b from 0 + 10. Client 1: gradient 18, w = -1.8, b = 8.2; client 2: -4, w = 0.4, b = 10.4.
    expect([...outcomes[0]!.weights.keys()]).toEqual(["w"]);
    expect(federation.w).toBeCloseTo(-0.7, 5);
    expect(federation.weights.get("offset")!.data[0]).toBe(10);
    const own = () => (federation.clientStates.get(1)!.get("fedper") as Weights).get("offset")!.data[0];
    expect(own()).toBeCloseTo(8.2, 5);
    const second = await federation.round();
    // -0.7 + 8.2 - 1 = 6.5, gradient 13: w = -2, b = 6.9; tested as -2 + 6.9 against 1.
    expect(own()).toBeCloseTo(6.9, 5);
    expect(second.outcomes[0]!.scalar!.value).toBeCloseTo(3.9 ** 2, 4);
  });

  it("must be there, and leave something to average", async () => {
    const contents = async (names: string | string[]) => {
      const { server } = await algorithms.lookup("fedper")({ local_layer_names: names });
      return contentsOf(server, layoutOf(new OffsetModel().weights()));
    };
    await expect(contents("head")).rejects.toMatchObject({
      code: "CONFIG_CONFLICT",
      message: expect.stringContaining('"head"'),
    });
    await expect(contents(["w", "offset"])).rejects.toMatchObject({ code: "CONFIG_CONFLICT" });
    await expect(contents([])).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });

  it("of FedBN are scale, shift and statistics of batch normalisation, by whatever names", () => {
    const torch = ["conv1.weight", "bn1.weight", "bn1.bias", "bn1.running_mean", "shortcut.1.weight"];
    const layersNames = ["0.kernel", "1.gamma", "1.beta", "1.moving_mean", "1.moving_variance", "10.gamma"];
    expect([...batchNormalisation([...torch, "shortcut.1.running_var"])]).toEqual([
      ...torch.slice(1),
      "shortcut.1.running_var",
    ]);
    expect([...batchNormalisation(layersNames)]).toEqual(layersNames.slice(1, 5));
  });

  it("of FedBN follow each client's own batches", async () => {
    const model = () => {
      const sequential = layers.sequential({
        layers: [
          layers.layers.dense({ units: 1, useBias: false, kernelInitializer: "ones", inputShape: [1] }),
          layers.layers.batchNormalization({ momentum: 0 }),
        ],
      });
      return modelFromLayers("normalised", sequential);
    };
    const rows = (...inputs: number[]) =>
      new ArrayDataset({
        inputs: Float32Array.from(inputs),
        inputShape: [1],
        labels: new Float32Array(inputs.length),
        classes: 0,
      });
    const federation = await LineFederation.start(
      { algorithm: { type: "fedbn" } },
      [rows(1, 3), rows(10, 14)],
      model,
    );
    const { outcomes } = await federation.round();
    expect([...outcomes[0]!.weights.keys()]).toEqual(["0.kernel"]);
    const mean = (client: number) =>
      (federation.clientStates.get(client)!.get("fedbn") as Weights).get("1.moving_mean")!.data[0];
    // Momentum 0: the mean of the last batch.
    expect([mean(1), mean(2)]).toEqual([2, 12]);
    expect(federation.weights.get("1.moving_mean")!.data[0]).toBe(0);
    await expect(
      LineFederation.start({ algorithm: { type: "fedbn" } }, [lineClient(1)]).then((one) => one.round()),
    ).rejects.toMatchObject({ code: "CONFIG_CONFLICT" });
  });

  it("ask for tests of clients, since the server's model is nobody's", () => {
    const faults = (clients: object, server: object) =>
      algorithms.lookup("fedper").check!(lineConfig({ clients, server }), undefined).map(({ path }) =>
        path.join("."),
      );
    expect(faults({ do_test: false }, { do_test: false })).toEqual(["clients.do_test"]);
    expect(faults({ do_test: true }, { do_test: true })).toEqual(["server.do_test"]);
    expect(faults({ do_test: true }, { do_test: false })).toEqual([]);
  });
});

describe("every algorithm", () => {
  it("leaves no tensor behind on a client", async () => {
    const before = tf.memory().numTensors;
    for (const type of algorithms.registeredNames().filter((name) => name !== "fedbn")) {
      const federation = await LineFederation.start(
        { algorithm: { type, local_layer_names: "offset" } },
        [lineClient(1)],
        () => new OffsetModel(),
      );
      await federation.rounds(2);
      expect([type, tf.memory().numTensors]).toEqual([type, before]);
    }
  });
});
