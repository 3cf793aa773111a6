import { ElenchusError } from "../base/index.js";
import {
  type ArrayDescription,
  layoutFrom,
  layoutOf,
  readLayout,
  readSegments,
  requireSameLayout,
  type WeightArray,
  type Weights,
} from "../weights/index.js";
import type { Aggregation, ClientUpdate } from "./algorithm.js";
import { createArrayMean } from "./weightedMean.js";

/** The weight of an update, above 0. Clients without samples are not asked. */
export type UpdateWeight = (update: ClientUpdate) => number;

/** By the number of rows that a client trained on. */
export const bySamples: UpdateWeight = ({ numSamples }) => numSamples;

/** Every client alike. */
export const uniformly: UpdateWeight = () => 1;

/** A weighted mean of updates under way. */
export interface MeanOfUpdates {
  /** Adds one update, unless it was trained on no samples at all. Its source is read, not discarded. */
  fold(update: ClientUpdate): Promise<void>;
  /** Updates in it so far. */
  readonly updates: number;
  /** The mean of each array, by name in the given order; null where nothing was folded. To be asked for once. */
  means(): Promise<Weights | null>;
}

/**
 * A weighted mean that holds one sum, whatever the number of clients. Weights are taken relative to the first
 * update's: that of a single client is then 1, its weights come back bit for bit, and the sum stays in the range of
 * the weights. The order of updates decides the last bits.
 * @param arrays what of each update is averaged, from its first array on; scalars may follow
 */
export function meanOfUpdates(
  arrays: readonly ArrayDescription[],
  weightOf: UpdateWeight = bySamples,
): MeanOfUpdates {
  const layout = layoutFrom(arrays);
  const means = layout.arrays.map((array) => createArrayMean(array));
  let unit = 0;
  let totalWeight = 0;
  let updates = 0;
  let broken: unknown;

  const foldSegments = async (update: ClientUpdate) => {
    const { clientId, numSamples, weights } = update;
    requireSampleCount(clientId, numSamples);
    const found = await readLayout(weights);
    const scalars = update.scalars?.size ?? 0;
    const averaged = found.arrays.slice(0, found.arrays.length - scalars);
    requireSameLayout({ ...found, arrays: averaged }, layout);
    if (numSamples === 0) return;
    const own = weightOf(update);
    if (unit === 0) unit = own;
    // The kernel rounds the weight to float32; the total must be the sum of what was really used.
    const weight = Math.fround(own / unit);
    try {
      for await (const segment of readSegments(weights, found)) means[segment.index]?.add(segment, weight);
    } catch (error) {
      broken = error;
      throw error;
    }
    totalWeight += weight;
    updates += 1;
  };

  return {
    get updates() {
      return updates;
    },
    async fold(update) {
      requireWhole(broken);
      await foldSegments(update);
    },
    async means() {
      requireWhole(broken);
      const mean = new Map<string, WeightArray>();
      for (const [index, { name, dtype, shape }] of layout.arrays.entries()) {
        const sum = means[index]!;
        if (totalWeight > 0) mean.set(name, { dtype, shape, data: await sum.mean(totalWeight) });
        sum.dispose();
      }
      return totalWeight > 0 ? mean : null;
    },
  };
}

/**
 * The aggregation that takes the mean as the new weights. Arrays that do not travel stay as they are.
 * @param arrays what an update holds; by default all of the global weights
 */
export function averaging(
  globalWeights: Weights,
  arrays: readonly ArrayDescription[] = layoutOf(globalWeights).arrays,
  weightOf: UpdateWeight = bySamples,
): Aggregation {
  const mean = meanOfUpdates(arrays, weightOf);
  return {
    fold: (update) => mean.fold(update),
    async finish() {
      const means = await mean.means();
      return means === null ? globalWeights : replaced(globalWeights, means);
    },
  };
}

/** The weights with some of their arrays replaced, in their own order. */
export function replaced(weights: Weights, by: Weights): Weights {
  return new Map([...weights].map(([name, array]) => [name, by.get(name) ?? array]));
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
