import { ElenchusError } from "../base/index.js";
import type { WeightData, WeightDtype, Weights } from "./weights.js";

/** Where one array lies. */
export interface LayoutEntry {
  readonly name: string;
  readonly dtype: WeightDtype;
  readonly shape: readonly number[];
  /** Bytes from the start of the data section, a multiple of 8. */
  readonly offset: number;
  /** Number of elements. */
  readonly length: number;
}

/** The arrays of a set of weights, in order, each on the first multiple of 8 behind the one before. */
export interface WeightLayout {
  readonly arrays: readonly LayoutEntry[];
  /** Bytes of the data section, a multiple of 8. */
  readonly dataBytes: number;
}

/** An array's name, type and shape. */
export type ArrayDescription = Pick<LayoutEntry, "name" | "dtype" | "shape">;

/** Bytes of one element. */
export const ELEMENT_BYTES: Readonly<Record<WeightDtype, number>> = { float32: 4, int32: 4, uint8: 1 };

const MAX_NAME_CHARACTERS = 1024;
const MAX_RANK = 16;

/**
 * The layout of weights, which are checked on the way.
 * @throws WEIGHTS_INVALID for a bad or doubled name, an array whose type is not its dtype's, or a shape that
 * does not hold as many elements as there are
 */
export function layoutOf(weights: Weights): WeightLayout {
  const layout = layoutFrom([...weights].map(([name, { dtype, shape }]) => ({ name, dtype, shape })));
  for (const { name, dtype, shape, length } of layout.arrays) {
    const { data } = weights.get(name)!;
    if (!holds(dtype, data)) {
      throw invalid(name, `is declared ${dtype} and holds a ${data?.constructor?.name ?? typeof data}`);
    }
    if (data.length !== length) {
      throw invalid(name, `has shape [${shape}], ${length} elements, and holds ${data.length}`);
    }
  }
  return layout;
}

/**
 * The layout of arrays in the given order.
 * @throws WEIGHTS_INVALID
 */
export function layoutFrom(descriptions: readonly ArrayDescription[]): WeightLayout {
  const names = new Set<string>();
  let dataBytes = 0;
  const arrays = descriptions.map(({ name, dtype, shape }): LayoutEntry => {
    checkName(name);
    if (names.has(name)) throw invalid(name, "occurs twice");
    names.add(name);
    if (!Object.hasOwn(ELEMENT_BYTES, dtype)) {
      throw invalid(name, `has type ${String(dtype)}; expected float32, int32 or uint8`);
    }
    const length = lengthOf(name, shape);
    const offset = dataBytes;
    dataBytes = padded(offset + length * ELEMENT_BYTES[dtype]);
    if (!Number.isSafeInteger(dataBytes)) throw invalid(name, `with shape [${shape}] is too large`);
    return { name, dtype, shape: [...shape], offset, length };
  });
  return { arrays, dataBytes };
}

/**
 * Demands the same names, types and shapes in the same order.
 * @throws WEIGHTS_INVALID naming the first array that differs
 */
export function requireSameLayout(found: WeightLayout, expected: WeightLayout): void {
  for (const [index, want] of expected.arrays.entries()) {
    const have = found.arrays[index];
    if (!have || have.name !== want.name) {
      const instead = have ? `there is "${have.name}"` : "the weights end";
      throw invalid(want.name, `is missing: ${instead} in its place`);
    }
    if (have.dtype !== want.dtype) throw invalid(want.name, `is ${have.dtype}; expected ${want.dtype}`);
    if (
      have.shape.length !== want.shape.length ||
      have.shape.some((size, axis) => size !== want.shape[axis])
    ) {
      throw invalid(want.name, `has shape [${have.shape}]; expected [${want.shape}]`);
    }
  }
  const extra = found.arrays[expected.arrays.length];
  if (extra) throw invalid(extra.name, "is not among the weights of the model");
}

/** The next multiple of 8. */
export function padded(bytes: number): number {
  return Math.ceil(bytes / 8) * 8;
}

/** Whether an array holds elements of a dtype. */
function holds(dtype: WeightDtype, data: WeightData): boolean {
  if (dtype === "float32") return data instanceof Float32Array;
  return dtype === "int32" ? data instanceof Int32Array : data instanceof Uint8Array;
}

function checkName(name: unknown): asserts name is string {
  if (typeof name !== "string" || name === "" || name.length > MAX_NAME_CHARACTERS) {
    throw invalid(String(name), `is no name: expected 1 to ${MAX_NAME_CHARACTERS} characters`);
  }
  // Elsewhere names become keys of JSON objects, where this one would set the prototype instead.
  if (name === "__proto__") throw invalid(name, "is no name an array may have");
  // A lone surrogate has no UTF-8 form and would come out as another name.
  if (Buffer.from(name).toString() !== name) throw invalid(name, "is not well-formed Unicode");
}

function lengthOf(name: string, shape: readonly number[]): number {
  const sound = Array.isArray(shape) && shape.length <= MAX_RANK && shape.every(isSize);
  if (!sound) {
    throw invalid(name, `has shape [${shape}]; expected at most ${MAX_RANK} whole numbers, none negative`);
  }
  return shape.reduce((product, size) => product * size, 1);
}

function isSize(size: unknown): boolean {
  return Number.isSafeInteger(size) && (size as number) >= 0;
}

function invalid(name: string, what: string): ElenchusError {
  const shown = name.length > 80 ? `${name.slice(0, 80)}...` : name;
  return new ElenchusError("WEIGHTS_INVALID", `Weights ${JSON.stringify(shown)}: the array ${what}.`, {
    details: { name: shown },
  });
}
