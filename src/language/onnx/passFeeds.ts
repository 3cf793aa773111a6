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
  /** Places in [batch * length] that states are wanted of; none is padding. */
  readonly places: readonly number[];
  /** The first so many of them are those that logits are wanted of. */
  readonly heads: number;
  /** Tokens that are asked of, for each of them; only a graph that gives scores reads them. */
  readonly asked: readonly (readonly number[])[];
}

/** The inputs of a pass besides weights, by the names of `GraphPass`; those that the graph does not have too. */
export function passFeeds(
  { Tensor }: OnnxRuntime,
  { form, batch, length, own, before, totals, slots, tokens, positions, parents }: Reading,
  { network, angles, cache, places, heads, asked }: PassSources,
): Record<string, OnnxTensor> {
  const turned = angles?.of({ positions, totals });
  const { gathered, spread } = withoutPadding(own, length);
  const picked = (padded: ArrayLike<number>) =>
    whole(
      gathered.map((place) => padded[place]!),
      [1, gathered.length],
    );
  const feeds: Record<string, OnnxTensor> = {
    tokens: picked(tokens),
    positions: picked(turned?.positions ?? positions),
    spread: whole(spread, [batch, length]),
    gathered: whole(gathered, [gathered.length]),
    chosen: whole(
      places.map((place) => spread[place]!),
      [places.length],
    ),
    chosen_places: whole(places, [places.length]),
    heads: whole([...Array(heads).keys()], [heads]),
    asked: askedPairs({ Tensor }, asked),
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
    const followed = gathered.map((at) => {
      const place = parents ? parents[at]! + 1 : at % length;
      return Math.floor(at / length) * (length + 1) + place;
    });
    feeds.followed = whole(followed, [followed.length]);
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

/** Pairs of a row and a token that is asked of after it: int64 [asked, 2]. */
export function askedPairs(
  { Tensor }: Pick<OnnxRuntime, "Tensor">,
  asked: readonly (readonly number[])[],
): OnnxTensor {
  const pairs = asked.flatMap((tokens, row) => tokens.flatMap((token) => [row, token]));
  return new Tensor("int64", wideIntegers(pairs), [pairs.length / 2, 2]);
}

/** Where each token stands in padded rows, and which token stands at each place of them; the first in padding. */
function withoutPadding(own: Int32Array, length: number): { gathered: Int32Array; spread: Int32Array } {
  const gathered = new Int32Array(own.reduce((sum, count) => sum + count, 0));
  const spread = new Int32Array(own.length * length);
  let token = 0;
  own.forEach((count, row) => {
    for (let place = row * length; place < row * length + count; place++) {
      gathered[token] = place;
      spread[place] = token++;
    }
  });
  return { gathered, spread };
}

/** Whole numbers from 0 to 2^31 in 64 bits, written as halves: a `bigint` for each would take ten times as long. */
function wideIntegers(values: ArrayLike<number>): BigInt64Array {
  const halves = new Int32Array(2 * values.length);
  const lower = LITTLE_ENDIAN ? 0 : 1;
  for (let index = 0; index < values.length; index++) halves[2 * index + lower] = values[index]!;
  return new BigInt64Array(halves.buffer);
}

const LITTLE_ENDIAN = endianness() === "LE";
