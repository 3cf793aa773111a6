import type * as tensorflow from "@tensorflow/tfjs-core";
import { z } from "zod";
import { parseOptions } from "../base/index.js";
import type { EntryFault } from "../config/index.js";
import type { TrainingContext } from "../context/index.js";
import type { Model } from "../models/index.js";
import { layoutOf, type WeightArray, type WeightLayout, type Weights } from "../weights/index.js";
import { type AlgorithmFactory, type ClientTask, EXTRA_PREFIX, type ServerAlgorithm } from "./algorithm.js";
import { inBlocks } from "./blocks.js";
import { ClientMemory } from "./clientMemory.js";
import { LocalSteps } from "./localSteps.js";
import { meanOfUpdates, replaced, uniformly } from "./meanOfUpdates.js";
import { KeptTensors, loadTensorflow, type Tensorflow, variableArrays } from "./modelCopy.js";
import { parameterArrays } from "./parameters.js";
import { keptArray, slotOf } from "./serverStep.js";
import type { GradientRequest, ModelUpdateStrategy } from "./strategies.js";

const options = z.object({
  server_learning_rate: z.number().positive().default(1).meta({
    description: "Factor of the server's step.",
  }),
});

/** In front of a weight's name: the server's control variate on its way down, the change of a client's on its way up. */
const CONTROL = `${EXTRA_PREFIX}scaffold.control/`;
const CHANGE = `${EXTRA_PREFIX}scaffold.change/`;
const SLOT = "control";

/**
 * SCAFFOLD (Karimireddy, Kale, Mohri, Reddi, Stich and Suresh, "SCAFFOLD: Stochastic Controlled Averaging for Federated
 * Learning", ICML 2020, algorithm 1 with option II). The server has weights x and a control variate c, each client
 * a c(i) of its own, all 0 at first. A client starts from y = x and makes K updates of learning rate r
 *
 *     y <- y - r * (gradient(y) - c(i) + c),   then   c(i)' = c(i) - c + (x - y) / (K * r)
 *
 * and sends y and c(i)' - c(i). Over the set S of clients that reported, of N in all,
 *
 *     x <- x + rate * mean over S of (y - x),   c <- c + |S| / N * mean over S of (c(i)' - c(i))
 *
 * with plain means, as there. K * r is what `LocalSteps` measures, which holds with momentum and schedules too. Running
 * statistics and integers become the mean.
 */
export const scaffold: AlgorithmFactory = Object.assign(
  ((table, config) => {
    const { server_learning_rate: rate } = parseOptions(options, table, "[algorithm] of scaffold");
    return {
      name: "scaffold",
      server: server(rate, config?.clients.total_clients),
      client: { modelUpdate: (task: ClientTask) => new ControlVariates(task), keepsState: true },
    };
  }) satisfies AlgorithmFactory,
  { options, exchange: "control variates", check: requirePlainSteps },
);

/** @param clients N; the clients of the round where nobody says */
function server(rate: number, clients: number | undefined): ServerAlgorithm {
  return {
    contents: (layout) => ({ arrays: [...layout.arrays, ...changesOf(layout)] }),
    broadcast(globalWeights, state) {
      const extras = parameterArrays(layoutOf(globalWeights)).map(
        ({ name }) =>
          [CONTROL + name, keptArray(state, `${SLOT}/${name}`, globalWeights.get(name)!)] as const,
      );
      return new Map(extras);
    },
    begin(globalWeights, _round, before) {
      const layout = layoutOf(globalWeights);
      const mean = meanOfUpdates([...layout.arrays, ...changesOf(layout)], uniformly);
      let state = before ?? new Map();
      return {
        fold: (update) => mean.fold(update),
        async finish() {
          const means = await mean.means();
          if (means === null) return globalWeights;
          const share = mean.updates / (clients ?? mean.updates);
          const next = new Map<string, WeightArray>();
          for (const { name } of parameterArrays(layout)) {
            const array = globalWeights.get(name)!;
            const control = keptArray(before, `${SLOT}/${name}`, array);
            const [x, y] = [array.data, means.get(name)!.data];
            const [c, change] = [control.data, means.get(CHANGE + name)!.data];
            await inBlocks(x.length, (from, to) => {
              for (let i = from; i < to; i++) {
                y[i] = x[i]! + rate * (y[i]! - x[i]!);
                c[i] = c[i]! + share * change[i]!;
              }
            });
            next.set(`${SLOT}/${name}`, control);
          }
          state = next;
          return replaced(globalWeights, means);
        },
        state: () => state,
      };
    },
  };
}

/** The arrays in which a client sends the change of its control variate. */
function changesOf(layout: Pick<WeightLayout, "arrays">) {
  return parameterArrays(layout).map(({ name, dtype, shape }) => ({ name: CHANGE + name, dtype, shape }));
}

/** The client half. */
class ControlVariates implements ModelUpdateStrategy {
  readonly #memory = new ClientMemory("scaffold");
  readonly #received: Weights;
  readonly #steps: LocalSteps;
  /** c - c(i). */
  readonly #correction = new KeptTensors();
  #tf: Tensorflow | undefined;
  #before: Weights = new Map();
  #changes = new Map<string, WeightArray>();

  constructor({ config, received }: ClientTask) {
    this.#received = slotOf(received, CONTROL.slice(0, -1));
    this.#steps = new LocalSteps(config);
  }

  async onTrainStart(model: Model, context: TrainingContext): Promise<void> {
    this.#tf = await loadTensorflow();
    this.#before = variableArrays(model);
    const own = this.#memory.recall(context, this.#before);
    const corrections = byElement(this.#before, (name, i) => at(this.#received, name, i) - at(own, name, i));
    this.#correction.keepArrays(this.#tf, model, corrections);
  }

  adjustGradients({ gradients, optimizer }: GradientRequest): GradientRequest["gradients"] {
    const tf = this.#tf!;
    this.#steps.count(optimizer.learningRate);
    const corrected = new Map<string, tensorflow.Tensor>();
    for (const [name, gradient] of gradients) {
      corrected.set(name, tf.add(gradient, this.#correction.get(name)!));
    }
    return corrected;
  }

  onTrainEnd(model: Model, context: TrainingContext): void {
    const { distance } = this.#steps;
    const after = variableArrays(model);
    const own = this.#memory.recall(context, after);
    const next = byElement(after, (name, i) => {
      if (distance === 0) return at(own, name, i);
      const mean = (at(this.#before, name, i) - at(after, name, i)) / distance;
      return at(own, name, i) - at(this.#received, name, i) + mean;
    });
    this.#memory.keep(context, next);
    const changes = byElement(after, (name, i) => at(next, name, i) - at(own, name, i));
    // Weights that travel without being trained have no control variate to change.
    this.#changes = new Map(
      parameterArrays(layoutOf(model.weights())).map(({ name, shape }) => {
        const size = shape.reduce((product, length) => product * length, 1);
        const none = { dtype: "float32", shape, data: new Float32Array(size) } as const;
        return [CHANGE + name, changes.get(name) ?? none];
      }),
    );
    this.teardown();
  }

  getUpdatePayload(): Weights {
    return this.#changes;
  }

  teardown(): void {
    this.#correction.dispose();
  }
}

/** New arrays of the shapes of others. */
function byElement(like: Weights, value: (name: string, index: number) => number): Map<string, WeightArray> {
  return new Map(
    [...like].map(([name, { shape, data }]) => {
      const values = new Float32Array(data.length);
      for (let index = 0; index < values.length; index++) values[index] = value(name, index);
      return [name, { dtype: "float32", shape, data: values }];
    }),
  );
}

/** An element of an array; 0 where there is none yet. */
function at(arrays: Weights, name: string, index: number): number {
  return arrays.get(name)?.data[index] ?? 0;
}

/** Optimizers whose steps are not in proportion to gradients, by which no gradient can be told from a change. */
const ADAPTIVE = /^(?:Adam\w*|\w+Adam|Adagrad|Adadelta|RMSprop|Rprop|Muon|LBFGS)$/;

function requirePlainSteps({ trainer }: { trainer: { optimizer: string } }): EntryFault[] {
  if (!ADAPTIVE.test(trainer.optimizer)) return [];
  const expected =
    'an optimizer that steps in proportion to gradients, "SGD", since scaffold takes the mean gradient from the change of the weights';
  return [{ path: ["trainer", "optimizer"], expected }];
}
