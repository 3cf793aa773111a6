import { createRandom, ElenchusError, messageOf } from "../base/index.js";
import type { Tokenizer } from "../tokenizers/index.js";
import type { Evaluation } from "./evaluation.js";
import type { Inference } from "./inference.js";
import { type EvaluationSettings, evaluationSettings, type SettingsInput } from "./settings.js";
import { batchesOf, type MeasuredBatch, mergeShards, type Shard } from "./shards.js";
import { type EvaluationReport, tally } from "./tally.js";

/** How an evaluation is run; everything has a default. */
export interface RunEvaluationOptions extends SettingsInput {
  /** The most rows: a seeded sample, the same whenever the seed is. Default -1: all. */
  readonly limit?: number | undefined;
  /** Default 1. */
  readonly seed?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs an evaluation in this process.
 * @throws DATA_INVALID for one without rows, or where every row failed; CONFIG_VALUE; whatever the model throws
 */
export async function runEvaluation(
  evaluation: Evaluation<unknown>,
  inference: Inference,
  options: RunEvaluationOptions = {},
): Promise<EvaluationReport> {
  const { limit = -1, seed = 1, signal, ...input } = options;
  const settings = evaluationSettings(input);
  const request = { inference, settings, limit, seed, signal, shard: { index: 0, of: 1 } };
  return tally(evaluation, mergeShards([await measureShard(evaluation, request)]), settings);
}

/** Which part of an evaluation is measured here. */
export interface ShardRequest {
  readonly inference: Inference;
  readonly settings: EvaluationSettings;
  readonly limit: number;
  readonly seed: number;
  readonly signal?: AbortSignal | undefined;
  readonly shard: Shard;
  /** Whether measures say what was asked and answered. Default false. */
  readonly samples?: boolean | undefined;
}

/** Measures one shard's rows. @throws as `runEvaluation` */
export async function measureShard(
  evaluation: Evaluation<unknown>,
  request: ShardRequest,
): Promise<MeasuredBatch[]> {
  return measureRows(evaluation, await loadedRows(evaluation, request), request);
}

/** Loads an evaluation, and chooses its rows: those of all shards. @throws DATA_INVALID for one without rows */
export async function loadedRows(
  evaluation: Evaluation<unknown>,
  { inference, limit, seed }: Pick<ShardRequest, "inference" | "limit" | "seed">,
): Promise<number[]> {
  await loadEvaluation(evaluation, inference.tokenizer);
  return rowsOf(evaluation, limit, seed);
}

/**
 * Has an evaluation read what its rows are made of.
 * @param known what its author knows it by
 * @throws DATA_INVALID naming the evaluation, with what its `load` throws
 */
export async function loadEvaluation(
  evaluation: Evaluation<unknown>,
  tokenizer: Tokenizer,
  known = evaluation.name,
): Promise<void> {
  evaluation.tokenizer = tokenizer;
  try {
    await evaluation.load?.();
  } catch (cause) {
    const message = `The load() of the evaluation "${known}" failed: ${messageOf(cause)}`;
    throw new ElenchusError("DATA_INVALID", message, { cause });
  }
}

/**
 * Measures one shard's part of rows.
 * @param onRows hears of rows that are measured: so many more
 */
export async function measureRows(
  evaluation: Evaluation<unknown>,
  rows: readonly number[],
  request: Omit<ShardRequest, "limit">,
  onRows?: (count: number) => void,
): Promise<MeasuredBatch[]> {
  const { inference, settings, seed, signal, shard, samples } = request;
  const measured: MeasuredBatch[] = [];
  for (const batch of batchesOf(rows, settings.batch_size, shard)) {
    signal?.throwIfAborted();
    const measures = await evaluation.measure(batch.rows, { inference, settings, seed, signal, samples });
    measured.push({ place: batch.place, measures });
    onRows?.(batch.rows.length);
  }
  return measured;
}

/**
 * Looks whether an evaluation that is loaded has rows.
 * @param known what its author knows it by
 * @throws DATA_INVALID
 */
export function requireRows({ name, length }: Evaluation<unknown>, known = name): void {
  if (Number.isInteger(length) && length >= 1) return;
  throw new ElenchusError(
    "DATA_INVALID",
    `The evaluation "${known}" has a length of ${length}: expected at least one row.`,
  );
}

function rowsOf(evaluation: Evaluation<unknown>, limit: number, seed: number): number[] {
  const { name, length } = evaluation;
  requireRows(evaluation);
  if (limit < 0 || limit >= length) return Array.from({ length }, (_, row) => row);
  return createRandom(seed, "limit", name)
    .sample(length, limit)
    .sort((one, other) => one - other);
}
