import type * as tensorflow from "@tensorflow/tfjs-core";
import { z } from "zod";
import { parseOptions } from "../base/index.js";
import type { TrainingContext } from "../context/index.js";
import type { Model } from "../models/index.js";
import { layoutOf, type WeightArray, type Weights } from "../weights/index.js";
import type { AlgorithmFactory, ServerAlgorithm } from "./algorithm.js";
import { inBlocks } from "./blocks.js";
import { ClientMemory } from "./clientMemory.js";
import { meanOfUpdates, replaced, uniformly } from "./meanOfUpdates.js";
import { KeptTensors, loadTensorflow, type Tensorflow, variableArrays } from "./modelCopy.js";
import { parameterArrays } from "./parameters.js";
import { keptArray } from "./serverStep.js";
import type { GradientRequest, ModelUpdateStrategy } from "./strategies.js";

const options = z.object({
  alpha_coef: z.number().positive().default(0.01).meta({
    description: "Strength of the dynamic regulariser.",
  }),
});

/**
 * FedDyn (Acar, Zhao, Matas Navarro, Mattina, Whatmough and Saligrama, "Federated Learning Based on Dynamic
 * Regularization", ICLR 2021, algorithm 1). Client k keeps g(k), 0 at first, and minimises from the global weights w(t)
 *
 *     F(k)(w) - <g(k), w> + alpha / 2 * ||w - w(t)||^2
 *
 * so that a step follows grad F(k)(w) - g(k) + alpha * (w - w(t)); then g(k)' = g(k) - alpha * (w(k) - w(t)). The server
 * keeps h, 0 at first; over the set S of clients that reported, of m in all,
 *
 *     h' = h - alpha * |S| / m * mean over S of (w(k) - w(t)),   w(t+1) = mean over S of w(k) - h' / alpha
 *
 * with plain means, as there. Running statistics and integers become the mean.
 */
export const fedDyn: AlgorithmFactory = Object.assign(
  ((table, config) => {
    const { alpha_coef: alpha } = parseOptions(options, table, "[algorithm] of feddyn");
    return {
      name: "feddyn",
      server: server(alpha, config?.clients.total_clients),
      client: { modelUpdate: () => new DynamicRegulariser(alpha), keepsState: true },
    };
  }) satisfies AlgorithmFactory,
  { options },
);

/** @param clients m; the clients of the round where nobody says */
function server(alpha: number, clients: number | undefined): ServerAlgorithm {
  return {
    begin(globalWeights, _round, before) {
      const layout = layoutOf(globalWeights);
      const mean = meanOfUpdates(layout.arrays, uniformly);
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
            const kept = keptArray(before, `h/${name}`, array);
            const [w, target, h] = [array.data, means.get(name)!.data, kept.data];
            await inBlocks(w.length, (from, to) => {
              for (let i = from; i < to; i++) {
                h[i] = h[i]! - alpha * share * (target[i]! - w[i]!);
                target[i] = target[i]! - h[i]! / alpha;
              }
            });
            next.set(`h/${name}`, kept);
          }
          state = next;
          return replaced(globalWeights, means);
        },
        state: () => state,
      };
    },
  };
}

/** The client half. */
class DynamicRegulariser implements ModelUpdateStrategy {
  readonly #alpha: number;
  readonly #memory = new ClientMemory("feddyn");
  readonly #anchor = new KeptTensors();
  readonly #gradient = new KeptTensors();
  #tf: Tensorflow | undefined;
  #before: Weights = new Map();

  constructor(alpha: number) {
    this.#alpha = alpha;
  }

  async onTrainStart(model: Model, context: TrainingContext): Promise<void> {
    this.#tf = await loadTensorflow();
    this.#before = variableArrays(model);
    this.#anchor.keepVariables(this.#tf, model);
    this.#gradient.keepArrays(this.#tf, model, this.#memory.recall(context, this.#before));
  }

  adjustGradients({ gradients, model }: GradientRequest): GradientRequest["gradients"] {
    const tf = this.#tf!;
    const adjusted = new Map<string, tensorflow.Tensor>();
    for (const [name, gradient] of gradients) {
      const away = tf.sub(model.variables.get(name)!, this.#anchor.get(name)!);
      const pulled = tf.add(gradient, tf.mul(away, this.#alpha));
      const own = this.#gradient.get(name);
      adjusted.set(name, own === undefined ? pulled : tf.sub(pulled, own));
    }
    return adjusted;
  }

  onTrainEnd(model: Model, context: TrainingContext): void {
    const after = variableArrays(model);
    const own = this.#memory.recall(context, after);
    const next = new Map<string, WeightArray>();
    for (const [name, { shape, data }] of after) {
      const before = this.#before.get(name)!.data;
      const kept = own.get(name)?.data;
      const values = data.map((value, i) => (kept?.[i] ?? 0) - this.#alpha * (value - before[i]!));
      next.set(name, { dtype: "float32", shape, data: values });
    }
    this.#memory.keep(context, next);
    this.teardown();
  }

  teardown(): void {
    this.#anchor.dispose();
    this.#gradient.dispose();
  }
}
