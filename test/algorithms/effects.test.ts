import "../support/cpuTensors.js";
import { describe, expect, it } from "vitest";
import type { ArrayDataset } from "../../src/data/index.js";
import type { Model } from "../../src/models/index.js";
import { OffsetModel } from "../trainers/fixtures/lineModel.js";
import { LineFederation, lineClient } from "./support/lines.js";

/** Losses w^2 and 4 (w - 1)^2, whose mean is least at 0.8; each alone at 0 and at 1. */
const unlike = () => [lineClient(0), lineClient(1, { scale: 2 })];
/** So many local steps that each client nearly reaches its own optimum. */
const MANY = { epochs: 10 };

async function trained(
  rounds: number,
  tables: Parameters<typeof LineFederation.start>[0],
  clients: readonly ArrayDataset[],
  makeModel?: () => Model,
): Promise<LineFederation> {
  const federation = await LineFederation.start(tables, clients, makeModel);
  await federation.rounds(rounds);
  return federation;
}

describe("clients that are unlike one another", () => {
  it("pull FedAvg to the mean of their own optima, which FedProx weakens", async () => {
    const fedavg = await trained(20, { trainer: MANY }, unlike());
    const weak = await trained(
      20,
      { trainer: MANY, algorithm: { type: "fedprox", fedprox_mu: 0.5 } },
      unlike(),
    );
    const strong = await trained(
      20,
      { trainer: MANY, algorithm: { type: "fedprox", fedprox_mu: 2 } },
      unlike(),
    );

    // The fixed point of two contractions, 0.8^10 and 0.2^10 (1 - 0.1 * 2, 1 - 0.1 * 8): w = (0.107 w + 1) / 2.
    expect(fedavg.w).toBeCloseTo(0.528, 2);
    expect(weak.w).toBeGreaterThan(fedavg.w + 0.02);
    // Exact minimisers would give (2 w / 4 + (8 + 2 w) / 10) / 2, least at 0.615.
    expect(strong.w).toBeGreaterThan(weak.w + 0.02);
    expect(strong.w).toBeCloseTo(0.615, 1);
  });

  it.each([
    ["scaffold", {}],
    ["feddyn", { alpha_coef: 2 }],
  ])("do not keep %s from the optimum of all", async (type, options) => {
    const federation = await trained(40, { trainer: MANY, algorithm: { type, ...options } }, unlike());
    expect(federation.w).toBeCloseTo(0.8, 2);
  });

  it("are served better by models of their own, or by layers of their own", async () => {
    const slopes = () => [lineClient(0), lineClient(4)];
    const meanLoss = async (tables: object, makeModel?: () => Model) => {
      const federation = await trained(10, tables, slopes(), makeModel);
      const { outcomes } = await federation.round();
      return outcomes.reduce((sum, { scalar }) => sum + scalar!.value / outcomes.length, 0);
    };
    const offset = () => new OffsetModel();
    const fedavg = await meanLoss({ trainer: { epochs: 2 } });
    const ditto = await meanLoss({ trainer: { epochs: 2 }, algorithm: { type: "ditto", ditto_lambda: 0.2 } });
    expect(ditto).toBeLessThan(fedavg / 4);

    const shared = await meanLoss({}, offset);
    const fedper = await meanLoss({ algorithm: { type: "fedper", local_layer_names: "offset" } }, offset);
    expect(fedper).toBeLessThan(shared / 4);
  });
});

describe("clients that make unlike numbers of steps", () => {
  // One row and four, in batches of one: the mean loss by rows is least at 0.8.
  const clients = () => [lineClient(0, { rows: 1 }), lineClient(1, { rows: 4 })];
  const slow = { trainer: { batch_size: 1 }, parameters: { optimizer: { lr: 0.01 } } };

  it("pull FedAvg to whoever makes more, and FedNova not", async () => {
    const fedavg = await trained(150, slow, clients());
    const fednova = await trained(150, { ...slow, algorithm: { type: "fednova" } }, clients());

    // Weights n * steps: 4 * 4 / (4 * 4 + 1 * 1) = 0.941, for small rates.
    expect(fedavg.w).toBeGreaterThan(0.92);
    expect(fednova.w).toBeCloseTo(0.8, 1);
    expect(Math.abs(fednova.w - 0.8)).toBeLessThan(0.02);
  });
});

describe("steps that are too small", () => {
  it("add up with momentum on the server", async () => {
    const slow = { parameters: { optimizer: { lr: 0.01 } } };
    const clients = () => [lineClient(1), lineClient(1)];
    const fedavg = await trained(12, slow, clients());
    // 1 - 0.98^12
    expect(fedavg.w).toBeCloseTo(0.215, 3);
    for (const type of ["fedavgm", "diloco"]) {
      const { w } = await trained(12, { ...slow, algorithm: { type } }, clients());
      expect([type, w > 2 * fedavg.w && w < 1.5]).toEqual([type, true]);
    }
  });

  it("are made larger by adaptive servers, however small the gradients", async () => {
    // Curvature 2 / 10,000: FedAvg stands still.
    const flat = () => [lineClient(1, { scale: 0.01 })];
    expect((await trained(30, {}, flat())).w).toBeLessThan(0.001);
    for (const type of ["fedadam", "fedyogi", "fedadagrad"]) {
      const options = { server_learning_rate: 0.05, tau: 1e-6 };
      const { w } = await trained(30, { algorithm: { type, ...options } }, flat());
      expect([type, w > 0.3 && w < 1.6]).toEqual([type, true]);
    }
  });
});
