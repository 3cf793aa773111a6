import { ElenchusError } from "../base/index.js";
import type { EvaluationInput } from "./evaluationInput.js";
import { withDeclaredEvaluations } from "./evaluations/index.js";
import { tableEntries } from "./evaluationTable.js";
import type { ShardEvaluator } from "./evaluator.js";
import { registry } from "./registry.js";
import { seedOf } from "./runEvaluator.js";

/** One part of several of an evaluator's work. */
export interface ShardOfEvaluator {
  /** Name of its table. */
  readonly name: string;
  /** From 0; the process that asks others does the part 0 itself. */
  readonly index: number;
  readonly of: number;
}

/**
 * Does a part of an evaluator's work for another process, which has the same configuration and weights.
 * @returns what the evaluator in that process can put together with the other parts
 * @throws EVALUATION_CONFIG for a table that is not there; CAPABILITY_MISSING for an evaluator without parts;
 *   whatever the evaluator throws
 */
export async function evaluateShard(
  { name, index, of }: ShardOfEvaluator,
  request: Omit<EvaluationInput, "seed">,
): Promise<unknown> {
  const { config, trainer } = request;
  const entry = tableEntries(withDeclaredEvaluations(config, trainer)).find((one) => one.name === name);
  if (entry?.table === undefined) {
    throw (
      entry?.fault ?? new ElenchusError("EVALUATION_CONFIG", `There is no evaluation table named "${name}".`)
    );
  }
  const evaluator = (await registry.get(entry.table)) as Partial<ShardEvaluator> | undefined;
  if (typeof evaluator?.evaluateShard !== "function") {
    throw new ElenchusError(
      "CAPABILITY_MISSING",
      `The evaluator "${entry.type}" cannot do a part of its work: it has no evaluateShard.`,
    );
  }
  return evaluator.evaluateShard({ ...request, seed: seedOf(config, name) }, { index, of });
}
