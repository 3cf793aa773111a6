import { z } from "zod";
import { messageOf, type RandomState } from "../base/index.js";
import { invalidCheckpoint } from "./safetensorsHeader.js";

const SCHEMA = 1;

/** What a checkpoint says beside its arrays, in plain JSON. */
export interface CheckpointFacts {
  readonly runId: string;
  /** Name of the model, as configured. */
  readonly model: string;
  /** The round just finished; 0 is the untrained model. */
  readonly round: number;
  /** Generators by name. */
  readonly random: Readonly<Record<string, RandomState>>;
  /** Clocks and counters by name, finite. */
  readonly clocks: Readonly<Record<string, number>>;
  /** The test scalar, and the primary metric of the first evaluator. What is best is kept when pruning. */
  readonly scalar: Score | null;
  readonly primary: Score | null;
}

/** What is known of a checkpoint without reading its arrays. */
export interface CheckpointHeader extends CheckpointFacts {
  readonly weightsSha256: string;
}

/** A metric's value with its direction, null where nobody declared one. */
export interface Score {
  readonly metric: string;
  readonly value: number;
  readonly higherIsBetter: boolean | null;
}

/**
 * The header as it stands in the file's metadata.
 * @throws ZodError for facts that could not be read back, such as a clock that is NaN
 */
export function encodeCheckpointHeader(header: CheckpointHeader, valuesSha256: string): string {
  const written: z.input<typeof headerSchema> = {
    schema: SCHEMA,
    run_id: header.runId,
    model: header.model,
    round: header.round,
    weights_sha256: header.weightsSha256,
    values_sha256: valuesSha256,
    random: header.random as Record<string, [number, number, number, number]>,
    clocks: header.clocks,
    scalar: writtenScore(header.scalar),
    primary: writtenScore(header.primary),
  };
  return JSON.stringify(headerSchema.parse(written));
}

/**
 * Reads a header from a file's metadata.
 * @throws CHECKPOINT_INVALID naming the file
 */
export function decodeCheckpointHeader(
  metadata: ReadonlyMap<string, string>,
  path: string,
): { header: CheckpointHeader; valuesSha256: string } {
  const text = metadata.get("elenchus");
  if (text === undefined) {
    throw invalidCheckpoint(
      path,
      null,
      "a safetensors file, but no checkpoint: its metadata has no `elenchus`.",
    );
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw invalidCheckpoint(path, null, `its metadata is not JSON: ${messageOf(error)}.`, error);
  }
  const parsed = headerSchema.safeParse(json);
  if (!parsed.success) {
    throw invalidCheckpoint(
      path,
      null,
      `its metadata has faults: ${z.prettifyError(parsed.error)}.`,
      parsed.error,
    );
  }
  const { run_id, model, round, random, clocks, scalar, primary, weights_sha256, values_sha256 } =
    parsed.data;
  return {
    header: {
      runId: run_id,
      model,
      round,
      random,
      clocks,
      scalar: readScore(scalar),
      primary: readScore(primary),
      weightsSha256: weights_sha256,
    },
    valuesSha256: values_sha256,
  };
}

/** JSON has no NaN and no infinity: such a value is written as null and read back as NaN, which is never best. */
function writtenScore(score: Score | null): z.input<typeof scoreSchema> {
  if (score === null) return null;
  const value = Number.isFinite(score.value) ? score.value : null;
  return { metric: score.metric, value, higher_is_better: score.higherIsBetter };
}

function readScore(score: z.output<typeof scoreSchema>): Score | null {
  if (score === null) return null;
  return { metric: score.metric, value: score.value ?? Number.NaN, higherIsBetter: score.higher_is_better };
}

const scoreSchema = z
  .object({ metric: z.string(), value: z.number().nullable(), higher_is_better: z.boolean().nullable() })
  .nullable();

const wordSchema = z
  .int()
  .nonnegative()
  .max(2 ** 32 - 1);

const headerSchema = z.object({
  schema: z.literal(SCHEMA),
  run_id: z.string().min(1),
  model: z.string(),
  round: z.int().nonnegative(),
  weights_sha256: z.string(),
  values_sha256: z.string(),
  random: z.record(z.string(), z.tuple([wordSchema, wordSchema, wordSchema, wordSchema])),
  clocks: z.record(z.string(), z.number()),
  scalar: scoreSchema,
  primary: scoreSchema,
});
