import { ElenchusError } from "../base/index.js";
import type { WeightArray, Weights } from "../weights/index.js";
import { layoutOf } from "../weights/index.js";
import type { AlgorithmFactory, ClientTask, ClientUpdate, ServerAlgorithm } from "./algorithm.js";
import { inBlocks } from "./blocks.js";
import { LocalSteps, mostRelativeSteps, type OptimizerFacts } from "./localSteps.js";
import { meanOfUpdates, replaced } from "./meanOfUpdates.js";
import { isStatistic } from "./parameters.js";
import { sampleBound } from "./sampleBound.js";
import type { GradientRequest, ModelUpdateStrategy } from "./strategies.js";

/** How far one client's local training goes for a unit of gradient, in units of its first learning rate. */
const STEPS = "~fednova.steps";
const MOST = 1e6;
/** Of a sum of many rates in float32. */
const ROUNDING = 1e-4;

/**
 * FedNova (Wang, Liu, Liang, Joshi and Poor, "Tackling the Objective Inconsistency Problem in Heterogeneous Federated
 * Optimization", NeurIPS 2020, equations 6 to 8). Clients that make more or longer steps would pull the average
 * to their own optimum; here each change is divided by how far its steps go:
 *
 *     w(t+1) = w(t) + a * sum over k of p(k) * (w(k) - w(t)) / a(k),   a = sum over k of p(k) * a(k)
 *
 * with p(k) = n(k) / n by samples and a(k) what `LocalSteps` measures on client k, in units of its first learning rate,
 * which is the same for all clients of a round: 1 or more, and no more than the configuration lets a client go. Running statistics and integers become the mean by n(k) / a(k).
 *
 * The sum is folded as one mean: with v(k) = n(k) / a(k), V their sum and A = sum of n(k) * a(k) it is
 * w(t) + A * V / n^2 * (mean by v(k) of w(k) - w(t)).
 */
export const fedNova: AlgorithmFactory = Object.assign(
  ((_table, config) => ({
    name: "fednova",
    server: server(config && mostRelativeSteps(config, sampleBound(config))),
    client: { modelUpdate: ({ config }: ClientTask) => new StepReport(config) },
  })) satisfies AlgorithmFactory,
  { exchange: "local steps" },
);

const MEND =
  "trainer.epochs, trainer.batch_size, the optimizer and the most samples of a client set it: raise server.max_samples where clients hold more.";

/** @param most that a(k) can be; `MOST` where the configuration leaves it open */
function server(most = MOST): ServerAlgorithm {
  // A client that could say next to nothing would own the mean; one that could say too much would stretch the step.
  const range = { min: 1, max: Math.min(most * (1 + ROUNDING), MOST), orZero: true, mend: MEND };
  return {
    contents: ({ arrays }) => ({ arrays, scalars: { [STEPS]: range } }),
    begin(globalWeights) {
      const { arrays } = layoutOf(globalWeights);
      const mean = meanOfUpdates(arrays, (update) => update.numSamples / stepsOf(update));
      let samples = 0;
      let normalised = 0;
      let travelled = 0;
      return {
        async fold(update) {
          const steps = stepsOf(update);
          // A client that made no step has nothing to say.
          if (steps === 0) return;
          await mean.fold(update);
          samples += update.numSamples;
          normalised += update.numSamples / steps;
          travelled += update.numSamples * steps;
        },
        async finish() {
          const means = await mean.means();
          if (means === null) return globalWeights;
          const factor = (travelled * normalised) / samples ** 2;
          for (const [name, { dtype, data }] of means) {
            if (dtype !== "float32" || isStatistic(name)) continue;
            const x = globalWeights.get(name)!.data;
            await inBlocks(data.length, (from, to) => {
              for (let i = from; i < to; i++) data[i] = x[i]! + factor * (data[i]! - x[i]!);
            });
          }
          return replaced(globalWeights, means);
        },
      };
    },
  };
}

/** @returns 0 for a client that made no step */
function stepsOf({ clientId, scalars }: ClientUpdate): number {
  const steps = scalars?.get(STEPS);
  if (steps !== undefined) return steps;
  throw new ElenchusError("PAYLOAD_INVALID", `Client ${clientId} did not say how many local steps it made.`);
}

/** Sends how far local training went. */
class StepReport implements ModelUpdateStrategy {
  readonly #steps: LocalSteps;

  constructor(config: OptimizerFacts) {
    this.#steps = new LocalSteps(config);
  }

  adjustGradients({ gradients, optimizer }: GradientRequest): GradientRequest["gradients"] {
    this.#steps.count(optimizer.learningRate);
    return gradients;
  }

  getUpdatePayload(): Weights {
    const data = Float32Array.of(this.#steps.relative);
    return new Map<string, WeightArray>([[STEPS, { dtype: "float32", shape: [], data }]]);
  }
}
