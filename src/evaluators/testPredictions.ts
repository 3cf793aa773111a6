import { createRandom, ElenchusError } from "../base/index.js";
import type { Dataset } from "../data/index.js";
import type { EvaluationInput } from "./evaluationInput.js";
import { kindOf } from "./jsonCopy.js";
import { EvaluationSkipped } from "./notEvaluated.js";

/** The model's outputs for the test rows, beside the labels. */
export interface TestPredictions {
  /** Row-major, shape [rows, width]; all finite. */
  outputs: Float32Array;
  width: number;
  /** Places of the rows in the test set. */
  rows: Int32Array;
  /** Label of each row, in the same order. */
  labels: Int32Array | Float32Array;
  /** What the classes are called, where the test set says so for each of them. */
  classNames?: readonly string[];
  /** Rows used of rows there are. */
  sampled: { used: number; total: number };
}

/**
 * Asks the trainer for the outputs of the test rows: of all that `request.sampler` selects, or of a seeded
 * sample of `limit`, the same rows in every round.
 * @param limit most rows to use; -1 for all
 * @throws EvaluationSkipped without rows; CAPABILITY_MISSING where the trainer cannot predict or there is no
 *   data set; DATA_INVALID where outputs do not fit the rows or are not finite
 */
export async function testPredictions(request: EvaluationInput, limit: number): Promise<TestPredictions> {
  const { trainer } = request;
  const testset = datasetOf(request.testset);
  if (typeof trainer?.predict !== "function") {
    throw new ElenchusError(
      "CAPABILITY_MISSING",
      "The trainer has no predict(dataset, indices, signal). Give it one that resolves to { outputs: Float32Array, width }.",
    );
  }
  const all = rowsOf(request.sampler, testset.length);
  if (all.length === 0) throw new EvaluationSkipped("the test set has no rows");
  const rows = limit < 0 || limit >= all.length ? all : sample(all, limit, request.seed);

  const { outputs, width } = await trainer.predict(testset, rows, request.signal);
  if (!Number.isInteger(width) || width < 1 || outputs.length !== rows.length * width) {
    throw new ElenchusError(
      "DATA_INVALID",
      `The trainer predicted ${outputs.length} values of width ${width} for ${rows.length} rows: expected rows x width.`,
    );
  }
  const bad = outputs.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) {
    throw new ElenchusError(
      "DATA_INVALID",
      `The model's output for test row ${rows[Math.floor(bad / width)]} is ${outputs[bad]}: its weights have diverged or its input is not finite.`,
    );
  }
  const labels = Float32Array.from(rows, (row) => testset.labels[row]!);
  const sampled = { used: rows.length, total: all.length };
  const named = testset.classNames?.length === width && { classNames: testset.classNames };
  return { outputs, width, rows, labels, ...named, sampled };
}

function datasetOf(testset: unknown): Dataset {
  const dataset = testset as Partial<Dataset> | null | undefined;
  const length: unknown = dataset?.length;
  if (typeof length === "number" && ArrayBuffer.isView(dataset?.labels)) return dataset as Dataset;
  throw new ElenchusError(
    "CAPABILITY_MISSING",
    `The test set is ${kindOf(testset)}: expected a data set with length, labels and batch(indices).`,
  );
}

function rowsOf(sampler: unknown, length: number): Int32Array {
  if (sampler === undefined || sampler === null) return Int32Array.from({ length }, (_, row) => row);
  if (sampler instanceof Int32Array) return sampler;
  throw new ElenchusError(
    "CAPABILITY_MISSING",
    `The test sampler is ${kindOf(sampler)}: expected an Int32Array of rows, or nothing for all.`,
  );
}

/** In the order of the rows, so that a batch's neighbours do not depend on the draw's order. */
function sample(rows: Int32Array, count: number, seed: number): Int32Array {
  const places = createRandom(seed, "limit").sample(rows.length, count);
  return Int32Array.from(
    places.sort((a, b) => a - b),
    (place) => rows[place]!,
  );
}
