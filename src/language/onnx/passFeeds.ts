import { endianness } from "node:os";
import { maskName, type OnnxNetwork } from "../../models/onnx/index.js";
import type { KeyValueBuffers } from "./keyValueBuffers.js";
import type { OnnxAngles } from "./onnxAngles.js";
import { onnxMask } from "./onnxMask.js";
import type { OnnxRuntime, OnnxTensor } from "./onnxRuntime.js";
import type { Reading } from "./reading.js";

/** What a pass reads from. */
export interface PassSources {
  readonly network: OnnxNetwork;
  readonly angles: OnnxAngles | undefined;
  readonly cache: KeyValueBuffers | undefined;
  /** Rows of states that logits are wanted of. */
  readonly places: readonly number[];
}

/** The inputs of a pass besides weights, by the names of `GraphPass`; those that the graph does not have too. */
export function passFeeds(
  { Tensor }: OnnxRuntime,
  { form, batch, length, before, totals, slots, tokens, positions, parents }: Reading,
  { network, angles, cache, places }: PassSources,
): Record<string, OnnxTensor> {
  const turned = angles?.of({ positions, totals });
  const feeds: Record<string, OnnxTensor> = {
    tokens: whole(tokens, [batch, length]),
    positions: whole(turned?.positions ?? positions, [batch, length]),
    places: whole(places, [places.length]),
  };
  if (turned && network.rotary) {
    const half = network.rotary.size / 2;
    for (const name of ["cos", "sin"] as const) {
      feeds[name] = new Tensor("float32", turned[name], [turned[name].length / half, half]);
    }
  }
  if (network.shiftedWidth !== undefined) {
    const last = cache?.last ?? new Float32Array(batch * network.shiftedWidth);
    feeds.before = new Tensor("float32", last, [batch, 1, network.shiftedWidth]);
    // Each row has an entry more than tokens: in front of them, what came before.
    const followed = tokens.map((_, at) => (parents ? parents[at]! + 1 : at % length));
    feeds.followed = whole(
      followed.map((place, at) => Math.floor(at / length) * (length + 1) + place),
      [batch * length],
    );
  }
  if (form === "step") {
    feeds.last = new Tensor(
      "int32",
      totals.map((total) => total - 1),
      [batch],
    );
    feeds.total = new Tensor("int32", Int32Array.of(Math.max(...totals)), []);
  } else {
    for (const window of new Set(network.windows)) {
      if (form === "whole" && window === Number.POSITIVE_INFINITY) continue;
      const { values, rows } = onnxMask({ before, slots, length, window, parents });
      feeds[maskName(window)] = new Tensor("float32", values, [rows, 1, length, slots + length]);
    }
  }
  if (form === "onward") feeds.slots = whole([slots], [1]);
  if (form !== "whole" && cache) {
    cache.layers.forEach(({ keys, values }, layer) => {
      feeds[`keys.${layer}`] = new Tensor("float32", keys, cache.dimensions);
      feeds[`values.${layer}`] = new Tensor("float32", values, cache.dimensions);
    });
  }
  return feeds;

  function whole(values: ArrayLike<number>, dimensions: readonly number[]): OnnxTensor {
    return new Tensor("int64", wideIntegers(values), dimensions);
  }
}

/** Whole numbers from 0 to 2^31 in 64 bits, written as halves: a `bigint` for each would take ten times as long. */
function wideIntegers(values: ArrayLike<number>): BigInt64Array {
  const halves = new Int32Array(2 * values.length);
  const lower = LITTLE_ENDIAN ? 0 : 1;
  for (let index = 0; index < values.length; index++) halves[2 * index + lower] = values[index]!;
  return new BigInt64Array(halves.buffer);
}

const LITTLE_ENDIAN = endianness() === "LE";
