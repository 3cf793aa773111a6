import type { TensorInfo } from "@tensorflow/tfjs-core";
import type { AttentionArguments } from "../kernels/tensorKernels.js";
import { type FusedKernel, registerFusedGradient, runFused } from "./fusedKernel.js";

/** How the heads of queries, keys and values lie. */
export type HeadLayout = {
  /** Whether queries, keys and values of a token lie side by side in one tensor. */
  readonly packed: boolean;
  readonly batch: number;
  readonly length: number;
  readonly heads: number;
  readonly keyHeads: number;
  readonly size: number;
};

type Numbers = HeadLayout & { readonly scale: number; readonly window: number };

/**
 * Queries, keys, values (or packed states), places of queries, places of keys, give what was attended to,
 * [batch * length, heads * size], and for the gradient the largest
 * score and the log sum of the others, [batch, heads, length, 2].
 */
export const attendForward: FusedKernel = {
  kernelName: "ElenchusAttention",
  run: (inputs, attributes, { kernels, makeAll }) => {
    const numbers = attributes as unknown as Numbers;
    const { batch, length, heads, size } = numbers;
    const scratchBytes = kernels.attentionScratch(slotsOf(inputs, numbers));
    const shapes = [
      [batch * length, heads * size],
      [batch, heads, length, 2],
    ];
    return makeAll(inputs, shapes, scratchBytes, ([out, sums], scratch, addresses) => {
      kernels.attend(out!, heads * size * 4, sums!, ...shared(inputs, addresses, scratch, numbers));
    });
  },
};

/** The same inputs, the gradient of what was attended to, and those sums give the gradients of the states. */
export const attendBackward: FusedKernel = {
  kernelName: "ElenchusAttentionGradient",
  run: (inputs, attributes, { kernels, makeAll }) => {
    const numbers = attributes as unknown as Numbers;
    const { heads, size } = numbers;
    const shapes = inputs.slice(0, stateCount(numbers)).map(({ shape }) => shape);
    const scratchBytes = kernels.attentionScratch(slotsOf(inputs, numbers));
    return makeAll(inputs, shapes, scratchBytes, (out, scratch, addresses) => {
      const [dOut, sums] = addresses.slice(-2) as [number, number];
      const rest = shared(inputs, addresses, scratch, numbers);
      kernels.attendGradient(...parts(out, numbers), dOut, heads * size * 4, sums, ...rest);
    });
  },
};

registerFusedGradient(attendForward.kernelName, [false, true], (dOut, saved, attributes) => {
  const inputs = saved.slice(0, -1);
  const numbers = attributes as unknown as Numbers;
  const gradients = runFused(attendBackward.kernelName, [...inputs, dOut, saved.at(-1)], numbers);
  return gradients.map((gradient) => () => gradient);
});

function stateCount({ packed }: Numbers): number {
  return packed ? 1 : 3;
}

function slotsOf(inputs: readonly TensorInfo[], numbers: Numbers): number {
  return inputs[stateCount(numbers) + 1]!.shape[1] ?? 0;
}

/** Addresses of queries, keys and values, or of their gradients. */
function parts(addresses: readonly number[], { packed, heads, size }: Numbers): [number, number, number] {
  const [q, k, v] = addresses as [number, number, number];
  const width = heads * size * 4;
  return packed ? [q, q + width, q + 2 * width] : [q, k, v];
}

function shared(
  inputs: readonly TensorInfo[],
  addresses: readonly number[],
  scratch: number,
  numbers: Numbers,
): AttentionArguments {
  const { packed, batch, heads, keyHeads, length, size, scale, window } = numbers;
  const [q, k, v] = parts(addresses, numbers);
  const places = stateCount(numbers);
  const [qRow, kRow] = packed
    ? [3 * heads * size * 4, 3 * heads * size * 4]
    : [heads * size * 4, keyHeads * size * 4];
  const [queryPlaces = 0, keyPlaces = 0] = addresses.slice(places, places + 2);
  const [queryRows = 1, keyRows = 1] = inputs.slice(places).map(({ shape }) => shape[0] ?? 1);
  return [
    ...([q, qRow, k, kRow, v, kRow] as const),
    ...([queryPlaces, queryRows, keyPlaces, keyRows] as const),
    ...([batch, heads, keyHeads, length, slotsOf(inputs, numbers), size] as const),
    ...([scale, window, scratch] as const),
  ];
}
