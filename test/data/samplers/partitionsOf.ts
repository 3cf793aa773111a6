import { type SamplerRequest, samplers } from "../../../src/data/index.js";

/** The partition of every client, asked for one by one. */
export function partitionsOf(name: string, request: Omit<SamplerRequest, "clientId">): Int32Array[] {
  return Array.from({ length: request.totalClients }, (_, index) =>
    samplers.lookup(name).partition({ ...request, clientId: index + 1 }),
  );
}

/** Rows of each class in a partition. */
export function countsOf(part: Int32Array, labels: ArrayLike<number>, classes: number): number[] {
  const counts = new Array<number>(classes).fill(0);
  for (const row of part) counts[labels[row]!]!++;
  return counts;
}

/** All rows of all partitions, in rising order. */
export function heldRows(parts: readonly Int32Array[]): number[] {
  return parts.flatMap((part) => [...part]).sort((one, other) => one - other);
}

/** 0, 1, 2, ... */
export function firstRows(count: number): number[] {
  return Array.from({ length: count }, (_, row) => row);
}

/**
 * The concentration of a symmetric Dirichlet distribution of `kinds` parts, from how its shares spread: with the sum A of
 * concentrations their variance is m (1 - m) / (1 + A), m = 1 / kinds.
 */
export function concentrationOf(shares: readonly number[], kinds: number): number {
  const mean = 1 / kinds;
  const variance = shares.reduce((sum, share) => sum + (share - mean) ** 2, 0) / shares.length;
  return ((mean * (1 - mean)) / variance - 1) / kinds;
}
