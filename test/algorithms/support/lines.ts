import { type Algorithm, algorithms, type ClientUpdate, contentsOf } from "../../../src/algorithms/index.js";
import { type Config, configSchema } from "../../../src/config/schema/config.js";
import { ArrayDataset } from "../../../src/data/index.js";
import type { Model } from "../../../src/models/index.js";
import { checkUpdate } from "../../../src/server/updateCheck.js";
import { trainClient } from "../../../src/trainers/clientWork.js";
import { ComposableTrainer, type TrainOutcome } from "../../../src/trainers/index.js";
import { portableState } from "../../../src/trainers/portableState.js";
import { layoutOf, type Weights } from "../../../src/weights/index.js";
import { LineModel } from "../../trainers/fixtures/lineModel.js";
import { sourceOf } from "../updates.js";

type Tables = Partial<Record<"algorithm" | "trainer" | "clients" | "server" | "parameters", object>>;

/** Lines y = w x, learnt by plain SGD of rate 0.1, one epoch of one batch; changed where a test says so. */
export function lineConfig({ algorithm, trainer, clients, server, parameters }: Tables = {}): Config {
  const config = configSchema.parse({
    clients: { total_clients: 2, per_round: 2 },
    server: {},
    data: { datasource: "digits", sampler: "all_inclusive" },
    trainer: {
      type: "basic",
      rounds: 9,
      epochs: 1,
      batch_size: 100,
      optimizer: "SGD",
      loss_criterion: "MSELoss",
      model_name: "multilayer",
      ...trainer,
    },
    parameters: { optimizer: { lr: 0.1 }, ...parameters },
    algorithm: { type: "fedavg" },
  });
  // Keys of algorithms are no part of the sections' own schemas.
  return {
    ...config,
    algorithm: { ...config.algorithm, ...algorithm },
    clients: { ...config.clients, ...clients },
    server: { ...config.server, ...server },
  };
}

/**
 * A client whose loss is scale^2 * (w - slope)^2, with gradient 2 * scale^2 * (w - slope).
 * @param rows equal ones; in batches of one they make as many steps
 */
export function lineClient(slope: number, { scale = 1, rows = 1 } = {}): ArrayDataset {
  return new ArrayDataset({
    inputs: new Float32Array(rows).fill(scale),
    inputShape: [1],
    labels: new Float32Array(rows).fill(scale * slope),
    classes: 0,
  });
}

/** What a federation is after a round. */
export interface LineRound {
  readonly weights: Weights;
  readonly state: Weights | undefined;
  readonly outcomes: readonly TrainOutcome[];
}

/** A federation in this process, without a network: both halves of an algorithm as a run puts them together. */
export class LineFederation {
  readonly algorithm: Algorithm;
  weights: Weights;
  state: Weights | undefined;
  readonly clientStates = new Map<number, ReadonlyMap<string, unknown>>();
  #round = 0;

  private constructor(
    readonly config: Config,
    readonly clients: readonly ArrayDataset[],
    algorithm: Algorithm,
    readonly makeModel: () => Model,
    /** What each client tests on; by default what it trains on. */
    readonly tests: readonly ArrayDataset[],
  ) {
    this.algorithm = algorithm;
    const model = makeModel();
    this.weights = model.weights();
    model.dispose();
  }

  static async start(
    tables: Tables,
    clients: readonly ArrayDataset[],
    makeModel: () => Model = () => new LineModel(),
    tests: readonly ArrayDataset[] = clients,
  ): Promise<LineFederation> {
    const own = { total_clients: clients.length, per_round: clients.length, ...tables.clients };
    const config = lineConfig({ ...tables, clients: own });
    const algorithm = await algorithms.lookup(config.algorithm.type)(config.algorithm, config);
    return new LineFederation(config, clients, algorithm, makeModel, tests);
  }

  /** The first weight of the global model. */
  get w(): number {
    return [...this.weights.values()][0]!.data[0]!;
  }

  /** A round of these clients, from 1; by default of all. */
  async round(members: readonly number[] = this.clients.map((_, index) => index + 1)): Promise<LineRound> {
    const { server } = this.algorithm;
    this.#round++;
    const contents = contentsOf(server, layoutOf(this.weights));
    const extras = server.broadcast?.(this.weights, this.state) ?? new Map();
    const aggregation = server.begin(this.weights, this.#round, this.state);
    const outcomes: TrainOutcome[] = [];
    for (const clientId of members) {
      const outcome = await this.train(clientId, new Map([...this.weights, ...extras]));
      const checked = await checkUpdate(sourceOf(outcome.weights), contents, "reject");
      if (!checked.good) throw new Error(checked.message);
      const { numSamples } = outcome;
      const update: ClientUpdate = {
        clientId,
        numSamples,
        staleness: 0,
        weights: checked.source,
        scalars: checked.scalars,
      };
      await aggregation.fold(update);
      outcomes.push(outcome);
    }
    this.weights = await aggregation.finish();
    this.state = aggregation.state?.() ?? this.state;
    return { weights: this.weights, state: this.state, outcomes };
  }

  async rounds(count: number, members?: readonly number[]): Promise<void> {
    for (let done = 0; done < count; done++) await this.round(members);
  }

  private async train(clientId: number, weights: Weights): Promise<TrainOutcome> {
    const dataset = this.clients[clientId - 1]!;
    const round = this.#round;
    const { config, algorithm } = this;
    const signal = new AbortController().signal;
    const outcome = await trainClient({
      task: { round, clientId, weights, test: true, state: this.clientStates.get(clientId) ?? new Map() },
      config,
      algorithm,
      trainRows: { dataset, indices: Int32Array.from({ length: dataset.length }, (_, row) => row) },
      testRows: { dataset: this.tests[clientId - 1]!, indices: undefined },
      withTrainer: async ({ update, state }, work) => {
        const trainer = new ComposableTrainer({
          config,
          clientId,
          round,
          state: portableState(state).state,
          model: () => this.makeModel(),
          algorithmUpdate: update,
        });
        try {
          return await work(trainer, trainer.context.state);
        } finally {
          await trainer.dispose();
        }
      },
      portable: (state) => portableState(state).state,
      signal,
      stepProgress: () => {},
      progress: undefined,
    });
    this.clientStates.set(clientId, outcome.state);
    return outcome;
  }
}
