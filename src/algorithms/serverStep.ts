import { ElenchusError } from "../base/index.js";
import { layoutOf, type WeightArray, type Weights } from "../weights/index.js";
import type { AlgorithmState, ServerAlgorithm } from "./algorithm.js";
import { inBlocks } from "./blocks.js";
import { bySamples, meanOfUpdates, replaced, type UpdateWeight } from "./meanOfUpdates.js";
import { isStatistic } from "./parameters.js";

/** How a server goes from the global weights x along the pseudo-gradient d, element by element. */
export interface ServerStep<Slot extends string> {
  /** What is kept for every element from round to round, and its first value. */
  readonly slots: Readonly<Record<Slot, number>>;
  /**
   * The new x. Computed in double precision; x and the slots are kept in float32.
   * @param change d, the mean of the updates minus x: downhill
   * @param kept the slots of this element, to be read and written at `index`
   */
  step(x: number, change: number, kept: Readonly<Record<Slot, Float32Array>>, index: number): number;
  /** Default: by samples. */
  readonly weightOf?: UpdateWeight;
  /** Whether running statistics take the step too. Default: they, and integers, become the plain mean. */
  readonly statistics?: boolean;
}

/**
 * The server half of algorithms that treat the mean change of the clients' weights as a gradient (Reddi et al.,
 * "Adaptive Federated Optimization", ICLR 2021, algorithm 1).
 */
export function serverStep<Slot extends string>(settings: ServerStep<Slot>): ServerAlgorithm {
  const { slots, step, weightOf = bySamples, statistics = false } = settings;
  const names = Object.keys(slots) as Slot[];

  return {
    begin(globalWeights, _round, before) {
      const mean = meanOfUpdates(layoutOf(globalWeights).arrays, weightOf);
      let state: AlgorithmState = before ?? new Map();
      return {
        fold: (update) => mean.fold(update),
        async finish() {
          const means = await mean.means();
          if (means === null) return globalWeights;
          const next = new Map<string, WeightArray>();
          for (const [name, array] of means) {
            if (array.dtype !== "float32" || (isStatistic(name) && !statistics)) continue;
            const kept = {} as Record<Slot, Float32Array>;
            for (const slot of names) {
              const own = keptArray(before, `${slot}/${name}`, array, slots[slot]);
              next.set(`${slot}/${name}`, own);
              kept[slot] = own.data as Float32Array;
            }
            const x = globalWeights.get(name)!.data;
            const target = array.data;
            await inBlocks(target.length, (from, to) => {
              for (let index = from; index < to; index++) {
                target[index] = step(x[index]!, target[index]! - x[index]!, kept, index);
              }
            });
          }
          state = next;
          return replaced(globalWeights, means);
        },
        state: () => state,
      };
    },
  };
}

/**
 * A copy of an array of the state, or a first one where there is none yet.
 * @throws CHECKPOINT_INVALID where it is of another shape than the weights it belongs to
 */
export function keptArray(
  state: AlgorithmState | undefined,
  name: string,
  { shape, data }: WeightArray,
  first = 0,
): WeightArray {
  const found = state?.get(name);
  if (found === undefined) {
    return { dtype: "float32", shape, data: new Float32Array(data.length).fill(first) };
  }
  if (!(found.data instanceof Float32Array) || found.shape.join() !== shape.join()) {
    throw new ElenchusError(
      "CHECKPOINT_INVALID",
      `The algorithm's state has "${name}" as ${found.dtype} [${found.shape.join(", ")}]; expected float32 [${shape.join(", ")}]. Resume with the configuration that the run began with.`,
    );
  }
  return { dtype: "float32", shape, data: found.data.slice() };
}

/** The arrays of a state whose names begin with a slot's. */
export function slotOf(state: AlgorithmState | undefined, slot: string): Weights {
  const entries = [...(state ?? [])].filter(([name]) => name.startsWith(`${slot}/`));
  return new Map(entries.map(([name, array]) => [name.slice(slot.length + 1), array]));
}
