import { ElenchusError, messageOf } from "../base/index.js";
import { tableEntries } from "./evaluationTable.js";
import type { EvaluatorPreparation } from "./evaluator.js";
import { parseOptions } from "./options.js";
import { registry } from "./registry.js";

/**
 * Has every configured evaluator look for what would keep it from evaluating, before anything is trained.
 * @throws EVALUATION_CONFIG for the first that finds something, with `details.path`, the key of its table
 */
export async function prepareEvaluators(preparation: EvaluatorPreparation): Promise<void> {
  const { evaluation } = preparation.config;
  for (const { index, type, name, table } of tableEntries(preparation.config)) {
    // What is wrong with the table itself has been said by whoever checked the configuration.
    if (table === undefined || !registry.has(type)) continue;
    const { options, prepare } = registry.declarations(type);
    try {
      await prepare?.(parseOptions(table, options, type), preparation);
    } catch (error) {
      throw new ElenchusError(
        "EVALUATION_CONFIG",
        `The evaluator "${name}" cannot evaluate: ${messageOf(error)}`,
        {
          cause: error,
          details: {
            path: ["evaluation", ...(Array.isArray(evaluation) ? [index] : []), keyAtFault(error, table)],
          },
        },
      );
    }
  }
}

/** The option that the error names, if the table has it; else what asks for everything. */
function keyAtFault(error: unknown, table: Readonly<Record<string, unknown>>): string {
  const option = error instanceof ElenchusError ? error.details.option : undefined;
  return typeof option === "string" && table[option] !== undefined ? option : "type";
}
