import type { ArrayDescription, WeightLayout } from "../weights/index.js";

/** What running statistics of batch normalisation are called, in TensorFlow.js and in PyTorch. */
const STATISTICS =
  /(?:^|[./_])(?:moving_mean|moving_variance|running_mean|running_var|num_batches_tracked)(?:_\d+)?$/;

/**
 * Whether an array holds running statistics, which follow the batches and are not learnt: a step along a
 * pseudo-gradient has no meaning for them, and may leave a variance below 0.
 */
export function isStatistic(name: string): boolean {
  return STATISTICS.test(name);
}

/** The arrays that training learns: float32 and no running statistics. */
export function parameterArrays({ arrays }: Pick<WeightLayout, "arrays">): ArrayDescription[] {
  return arrays.filter(({ name, dtype }) => dtype === "float32" && !isStatistic(name));
}

/**
 * Names of everything that belongs to batch normalisation: scale and shift as well as running statistics. A layer is
 * known by its statistics, whatever it is called: its other weights have the same name up to their last part.
 */
export function batchNormalisation(names: Iterable<string>): Set<string> {
  const all = [...names];
  const layers = new Set(all.filter(isStatistic).map(layerOf));
  return new Set(all.filter((name) => layers.has(layerOf(name))));
}

/** `layer1.0.bn1` of `layer1.0.bn1.weight`. */
function layerOf(name: string): string {
  return name.replace(/[./][^./]*$/, "");
}
