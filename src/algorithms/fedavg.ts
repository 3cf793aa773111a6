import { ElenchusError } from "../base/index.js";
import {
  layoutOf,
  readLayout,
  readSegments,
  requireSameLayout,
  type WeightArray,
  type Weights,
} from "../weights/index.js";
import type { Aggregation, Algorithm, ClientUpdate } from "./algorithm.js";
import { createArrayMean } from "./weightedMean.js";

/**
 * Federated averaging (McMahan, Moore, Ramage, Hampson and Agüera y Arcas, "Communication-Efficient Learning
 * of Deep Networks from Decentralized Data", AISTATS 2017, algorithm 1):
 *
 *     w(t+1) = sum over k of n(k) / n * w(k, t+1),   n = sum over k of n(k)
 *
 * over the clients k that reported, with n(k) the number of samples that client k trained on. Clients train
 * as usual, so the client half is empty.
 */
export function createFedAvg(): Algorithm {
  return { name: "fedavg", server: { begin: beginMean }, client: {} };
}

/**
 * A sample-weighted mean that holds one sum, whatever the number of clients. Weights are taken relative to the
 * first update's number of samples: that of a single client is then 1, its weights come back bit for bit,
 * and the sum stays in the range of the weights. The order of updates decides the last bits.
 */
function beginMean(globalWeights: Weights): Aggregation {
  const layout = layoutOf(globalWeights);
  const means = layout.arrays.map((array) => createArrayMean(array));
  let unit = 0;
  let totalWeight = 0;
  let broken: unknown;

  const foldSegments = async ({ clientId, numSamples, weights }: ClientUpdate) => {
    requireSampleCount(clientId, numSamples);
    const found = await readLayout(weights);
    requireSameLayout(found, layout);
    if (numSamples === 0) return;
    if (unit === 0) unit = numSamples;
    // The kernel rounds the weight to float32; the total must be the sum of what was really used.
    const weight = Math.fround(numSamples / unit);
    try {
      for await (const segment of readSegments(weights, found)) means[segment.index]!.add(segment, weight);
    } catch (error) {
      broken = error;
      throw error;
    }
    totalWeight += weight;
  };

  return {
    async fold(update) {
      requireWhole(broken);
      await foldSegments(update);
    },
    async finish() {
      requireWhole(broken);
      const next = new Map<string, WeightArray>();
      for (const [index, { name, dtype, shape }] of layout.arrays.entries()) {
        const mean = means[index]!;
        if (totalWeight > 0) next.set(name, { dtype, shape, data: await mean.mean(totalWeight) });
        mean.dispose();
      }
      return totalWeight > 0 ? next : globalWeights;
    },
  };
}

/** A sum that took in half an update is no sum any more. */
function requireWhole(broken: unknown): void {
  if (broken === undefined) return;
  throw new ElenchusError("INTERNAL", "The aggregation stopped within an update, which cannot be undone.", {
    cause: broken,
  });
}

function requireSampleCount(clientId: number, numSamples: number): void {
  if (Number.isFinite(numSamples) && numSamples >= 0) return;
  throw new ElenchusError(
    "PAYLOAD_INVALID",
    `Client ${clientId} reported ${numSamples} samples; expected a finite number, not negative.`,
    { details: { clientId } },
  );
}
