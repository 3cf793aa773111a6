import { withDeadline } from "../../base/index.js";
import { loadEvaluation, requireRows } from "../../evaluations/runEvaluation.js";
import { atOption } from "../atOption.js";
import type { EvaluatorPreparation } from "../evaluator.js";
import { requireLength, requireMetric } from "../requireKnown.js";
import { chosenEvaluations } from "./chosenEvaluations.js";

/** Keys of a table that are looked at before round 1. */
export interface PreparedTable extends Readonly<Record<string, unknown>> {
  readonly block_size?: number | undefined;
  readonly primary_metric?: string;
  /** Seconds. */
  readonly timeout?: number;
}

/** Where those are chosen that the table does not name. */
const OF_TRAINER = ["trainer", "type"];

/** Seconds, where a table has no timeout. */
const LONGEST_LOADING = 3600;

/**
 * Makes the evaluations of a table and loads them, so that what would fail in round 1 is found before it.
 * @throws EVALUATION_CONFIG naming the evaluation: options, a name that is there twice, loading that fails or takes
 *   longer than the table's timeout, no rows; `primary_metric` and `block_size` that do not fit
 */
export async function prepareEvaluations(
  table: PreparedTable,
  { tokenizer, model, declared }: EvaluatorPreparation,
): Promise<void> {
  await atOption("block_size", () => requireLength("block_size", table.block_size, model));
  // What a trainer declares may be seen only when it is made.
  if (table.evaluations === undefined && declared === undefined) return;
  const { timeout: seconds = LONGEST_LOADING } = table;
  await atOption(table.evaluations === undefined ? OF_TRAINER : "evaluations", async () => {
    const chosen = chosenEvaluations(table, declared ?? []);
    const names = chosen.map(({ evaluation }) => evaluation.name);
    await atOption("primary_metric", () => requireMetric(table.primary_metric, names, "these evaluations"));
    // Rows may be made with the tokenizer: without it nothing can be said of them.
    if (tokenizer === undefined) return;
    for (const { registered, evaluation } of chosen) {
      const loading = loadEvaluation(evaluation, tokenizer, registered);
      await withDeadline(loading, seconds * 1000, `The load() of the evaluation "${registered}"`);
      requireRows(evaluation, registered);
    }
  });
}
