import { createRandom, ElenchusError } from "../../base/index.js";
import type { TextDataset } from "../../data/index.js";
import type { EvaluationInput } from "../evaluationInput.js";
import { kindOf } from "../jsonCopy.js";
import { EvaluationSkipped } from "../notEvaluated.js";

/** Tokens that a model reads, and what follows each. */
export interface LabelledRow {
  /** Of the test set. */
  readonly row: number;
  readonly ids: readonly number[];
  /** As many; negative where nothing is asked. */
  readonly labels: readonly number[];
}

/**
 * The rows of a test set of text: all that `request.sampler` selects, or a seeded sample of `limit` of them.
 * @throws EvaluationSkipped without rows; CAPABILITY_MISSING for another kind of test set
 */
export function testRows(
  request: EvaluationInput,
  limit: number,
): { rows: LabelledRow[]; sampled: { used: number; total: number } } {
  const testset = request.testset as Partial<TextDataset> | null | undefined;
  if (typeof testset?.row !== "function" || typeof testset.length !== "number") {
    throw new ElenchusError(
      "CAPABILITY_MISSING",
      `The test set is ${kindOf(request.testset)} without rows of tokens. Expected a data source of text.`,
    );
  }
  const { length } = testset;
  const all = (request.sampler as Int32Array | undefined) ?? Int32Array.from({ length }, (_, row) => row);
  if (all.length === 0) throw new EvaluationSkipped("the test set has no rows");
  const chosen =
    limit < 0 || limit >= all.length
      ? [...all]
      : createRandom(request.seed, "limit")
          .sample(all.length, limit)
          .sort((one, other) => one - other)
          .map((place) => all[place]!);
  const rows = chosen.map((index) => {
    const { ids, mask } = testset.row!(index);
    return {
      row: index,
      ids: [...ids.subarray(0, -1)],
      labels: Array.from(ids.subarray(1), (id, place) => (mask[place + 1] === 1 ? id : -1)),
    };
  });
  return { rows, sampled: { used: rows.length, total: all.length } };
}
