import { createHash } from "node:crypto";

import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { z } from "zod";
import { ElenchusError, makeFolder, messageOf } from "../base/index.js";
import {
  type CheckpointFacts,
  type CheckpointHeader,
  decodeCheckpointHeader,
  encodeCheckpointHeader,
} from "./checkpointHeader.js";
import { layoutOf } from "./layout.js";
import { readSafetensors, readSafetensorsHeader, writeSafetensors } from "./safetensors.js";
import { invalidCheckpoint, type SafetensorsContent } from "./safetensorsHeader.js";
import type { WeightArray, Weights } from "./weights.js";
import { weightsDigest } from "./weightsDigest.js";

/**
 * A checkpoint is one safetensors file, `checkpoint_<round>.safetensors`, that any reader of the format opens.
 * Beside the model's arrays it holds
 * - in `__metadata__`, under `elenchus`, a JSON header that is read without touching the arrays;
 * - the array `__elenchus__`: the row, the state and what the algorithm carries, in V8's structured-clone format, which keeps typed arrays,
 *   maps and every double. It is only read to resume, and only after its SHA-256 has been checked.
 */
export interface Checkpoint extends CheckpointFacts {
  readonly weights: Weights;
  /** The finished row of the round: any value that can be cloned. Whoever wrote it checks it on reading. */
  readonly row: unknown;
  /** `context.state` of the server. Entries that cannot be cloned are left out when writing. */
  readonly state: ReadonlyMap<string, unknown>;
  /** What the algorithm's server half carries from round to round: moments, control variates. */
  readonly algorithm?: Weights | undefined;
  /** The round after which each logical client's update was last aggregated. Absent: not known. */
  readonly clientRounds?: ReadonlyMap<number, number> | undefined;
}

const VALUES = "__elenchus__";

/**
 * Writes a checkpoint into its run's folder, which is made if need be, whole or not at all.
 * @returns the file, the digest of its weights, and the names of state entries that could not be cloned
 * @throws WEIGHTS_INVALID when an array contradicts itself or bears a reserved name
 */
export async function writeCheckpoint(
  folder: string,
  checkpoint: Checkpoint,
): Promise<{ path: string; sha256: string; dropped: string[] }> {
  if (checkpoint.weights.has(VALUES)) {
    throw new ElenchusError(
      "WEIGHTS_INVALID",
      `\`${VALUES}\` cannot be the name of an array: choose another.`,
    );
  }
  const { bytes, dropped } = serializeValues(checkpoint);
  const values: WeightArray = { dtype: "uint8", shape: [bytes.length], data: bytes };
  const sha256 = weightsDigest(checkpoint.weights);
  const header = encodeCheckpointHeader({ ...checkpoint, weightsSha256: sha256 }, sha256Of(bytes));

  await makeFolder(folder);
  const path = checkpointPath(folder, checkpoint.round);
  await writeSafetensors(path, {
    arrays: new Map([...checkpoint.weights, [VALUES, values]]),
    metadata: new Map([["elenchus", header]]),
  });
  return { path, sha256, dropped };
}

/** Where the checkpoint of a round lies. */
export function checkpointPath(folder: string, round: number): string {
  return join(folder, `checkpoint_${round}.safetensors`);
}

/**
 * Reads a whole checkpoint, in order to resume from it.
 * @throws CHECKPOINT_INVALID naming the file, and the byte where one can be named
 */
export async function readCheckpoint(path: string): Promise<Checkpoint & CheckpointHeader> {
  const content = await readSafetensors(path);
  const { header, valuesSha256 } = decodeCheckpointHeader(content.metadata, path);
  const values = content.arrays.get(VALUES);
  if (!(values?.data instanceof Uint8Array) || sha256Of(values.data) !== valuesSha256) {
    throw invalidCheckpoint(path, null, "its row and state are missing or damaged.");
  }
  return {
    ...header,
    weights: checkedWeights(content, header, path),
    ...deserializeValues(values.data, path),
  };
}

/**
 * Reads the model of a checkpoint and nothing that its writer may have put beside it.
 * @throws CHECKPOINT_INVALID naming the file, and the byte where one can be named
 */
export async function readCheckpointWeights(path: string): Promise<CheckpointHeader & { weights: Weights }> {
  const content = await readSafetensors(path, (name) => name !== VALUES);
  const { header } = decodeCheckpointHeader(content.metadata, path);
  return { ...header, weights: checkedWeights(content, header, path) };
}

/** Reads what is known without the arrays. @throws CHECKPOINT_INVALID */
export async function readCheckpointHeader(path: string): Promise<CheckpointHeader> {
  const { metadata } = await readSafetensorsHeader(path);
  return decodeCheckpointHeader(metadata, path).header;
}

function serializeValues({ row, state, algorithm, clientRounds }: Checkpoint): {
  bytes: Uint8Array;
  dropped: string[];
} {
  const dropped: string[] = [];
  const kept = new Map(state);
  for (;;) {
    try {
      return { bytes: serialize({ row, state: kept, algorithm, clientRounds }), dropped };
    } catch (error) {
      const culprits = [...kept].filter(([, value]) => !canBeCloned(value)).map(([name]) => name);
      if (culprits.length === 0) throw error;
      for (const name of culprits) kept.delete(name);
      dropped.push(...culprits);
    }
  }
}

function canBeCloned(value: unknown): boolean {
  try {
    serialize(value);
    return true;
  } catch {
    return false;
  }
}

function deserializeValues(
  bytes: Uint8Array,
  path: string,
): Pick<Checkpoint, "row" | "state" | "algorithm" | "clientRounds"> {
  try {
    const { row, state, algorithm, clientRounds } = valuesSchema.parse(deserialize(bytes));
    if (algorithm !== undefined) layoutOf(algorithm);
    return { row, state, ...(algorithm && { algorithm }), ...(clientRounds && { clientRounds }) };
  } catch (error) {
    throw invalidCheckpoint(path, null, `its row and state cannot be read: ${messageOf(error)}.`, error);
  }
}

const valuesSchema = z.object({
  row: z.unknown(),
  state: z.map(z.string(), z.unknown()),
  algorithm: z.custom<Weights>((value) => value instanceof Map).optional(),
  clientRounds: z.map(z.int(), z.int()).optional(),
});

function checkedWeights({ arrays }: SafetensorsContent, header: CheckpointHeader, path: string): Weights {
  const weights = new Map(arrays);
  weights.delete(VALUES);
  const found = weightsDigest(weights);
  if (found !== header.weightsSha256) {
    throw invalidCheckpoint(
      path,
      null,
      `its weights have SHA-256 ${found}; it was written with ${header.weightsSha256}.`,
    );
  }
  return weights;
}

function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
