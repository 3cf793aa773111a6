import { EXTRA_PREFIX } from "../algorithms/index.js";
import type { Random } from "../base/index.js";
import type { ArrayDescription, WeightData } from "../weights/index.js";
import type { ArrayProcessor, NamedArray, Part } from "./processor.js";

/** An array processor under its name. */
export interface ArrayStage {
  readonly name: string;
  readonly processor: ArrayProcessor;
}

/** An array on its way through the stages. */
interface Item {
  readonly array: Part;
  /** Whether it stands for another one. */
  readonly isPart: boolean;
}

/**
 * Whether a stage processes an array of the model. Integers, and what an algorithm sends beside the model, travel as
 * they are.
 */
export function touches({ processor }: ArrayStage, array: ArrayDescription): boolean {
  return touchesItem(processor, { array, isPart: false });
}

/** What stands for arrays once all stages have had them, in order. */
export function encodeArrays(
  arrays: readonly NamedArray[],
  stages: readonly ArrayStage[],
  randomOf: (stage: string) => Random,
): WeightData[] {
  let items = arrays.map(({ data, ...array }) => ({ array: array as Part, isPart: false, data }));
  for (const { name, processor } of stages) {
    const touched = items.filter((item) => touchesItem(processor, item));
    const given = touched.map(({ array, data }) => ({ ...array, data }));
    const encoded = processor.encode(given, randomOf(name));
    const results = new Map(touched.map((item, place) => [item, encoded[place]!]));
    items = items.flatMap((item) => {
      const result = results.get(item);
      if (result === undefined) return [item];
      return resultsOf(processor, item).map((form, place) => ({ ...form, data: result[place]! }));
    });
  }
  return items.map(({ data }) => data);
}

/** Descriptions of what stands for an array once all stages have had it, in order. */
export function encodedAs(array: ArrayDescription, stages: readonly ArrayStage[]): ArrayDescription[] {
  let items: Item[] = [{ array, isPart: false }];
  for (const { processor } of stages) {
    items = items.flatMap((item) => (touchesItem(processor, item) ? resultsOf(processor, item) : [item]));
  }
  return items.map((item) => item.array);
}

/**
 * The numbers of an array again.
 * @param read gives what stands for it, in the order of `encodedAs`
 * @throws PAYLOAD_INVALID
 */
export function decodeArray(
  array: ArrayDescription,
  stages: readonly ArrayStage[],
  read: (description: ArrayDescription) => WeightData | Promise<WeightData>,
): Promise<WeightData> {
  const decode = async (item: Item, place: number): Promise<WeightData> => {
    const processor = stages[place]?.processor;
    if (processor === undefined) return read(item.array);
    if (!touchesItem(processor, item) || processor.decode === undefined) return decode(item, place + 1);
    const parts: WeightData[] = [];
    for (const part of resultsOf(processor, item)) parts.push(await decode(part, place + 1));
    return processor.decode(item.array, parts);
  };
  return decode({ array, isPart: false }, 0);
}

function touchesItem({ leastAxes = 1 }: ArrayProcessor, { array, isPart }: Item): boolean {
  if (array.dtype !== "float32" || array.fixed === true) return false;
  return isPart || (array.shape.length >= leastAxes && !array.name.startsWith(EXTRA_PREFIX));
}

function resultsOf(processor: ArrayProcessor, item: Item): Item[] {
  return processor.parts?.(item.array).map((array) => ({ array, isPart: true })) ?? [item];
}
