import { ElenchusError } from "../base/index.js";
import { layoutFrom, type PayloadLayout, readSegments, type WeightLayout } from "../weights/index.js";
import type { ServerAlgorithm, UpdateContents, WeightSource } from "./algorithm.js";

/** What updates of a round must hold, with the layout that they then have. */
export interface CheckedContents extends UpdateContents {
  readonly layout: WeightLayout;
}

/**
 * What an algorithm wants of an update of these weights.
 * @throws CONFIG_CONFLICT for a model that it cannot work on
 */
export function contentsOf(algorithm: ServerAlgorithm, globalLayout: WeightLayout): CheckedContents {
  const contents = algorithm.contents?.(globalLayout) ?? { arrays: globalLayout.arrays };
  return { ...contents, layout: layoutOfContents(contents) };
}

/** The layout of an update: its arrays, then its scalars. */
export function layoutOfContents({ arrays, scalars = {} }: UpdateContents): WeightLayout {
  const numbers = Object.keys(scalars).map((name) => ({ name, dtype: "float32", shape: [] }) as const);
  return layoutFrom([...arrays, ...numbers]);
}

/**
 * Reads the numbers that an update must hold beside its arrays.
 * @param layout the update's own, found to be that of its contents
 * @throws WEIGHTS_INVALID where one lies outside of its range
 */
export async function readScalars(
  source: WeightSource,
  layout: PayloadLayout,
  { scalars = {} }: UpdateContents,
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  const ranges = new Map(Object.entries(scalars));
  if (ranges.size === 0) return found;
  for await (const { array, bytes } of readSegments(source, layout)) {
    const range = ranges.get(array.name);
    if (range === undefined) continue;
    const value = new DataView(bytes.buffer, bytes.byteOffset).getFloat32(0, true);
    const none = range.orZero === true && value === 0;
    if (!none && !(value >= range.min && value <= range.max)) {
      throw new ElenchusError(
        "WEIGHTS_INVALID",
        `The update's number ${JSON.stringify(array.name)} is ${value}; expected ${range.orZero ? "0, or " : ""}${range.min} to ${range.max}.${range.mend === undefined ? "" : ` Here ${range.mend}`}`,
        { details: { name: array.name, refusal: "out_of_range" } },
      );
    }
    found.set(array.name, value);
  }
  return found;
}
