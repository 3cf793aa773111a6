import { ElenchusError, messageOf } from "../base/index.js";
import { tableEntries } from "./evaluationTable.js";
import type { EvaluatorPreparation } from "./evaluator.js";
import { parseOptions } from "./options.js";
import { registry } from "./registry.js";

/** What would keep an evaluator from evaluating. */
interface Hindrance {
  /** The key of its table, as section and key. */
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly cause: unknown;
}

/**
 * Has every configured evaluator look for what would keep it from evaluating, before anything is trained.
 * @throws EVALUATION_CONFIG with all that was found: `details.faults`, each with the key of its table, and of the first `details.path`
 */
export async function prepareEvaluators(preparation: EvaluatorPreparation): Promise<void> {
  const found: Hindrance[] = [];
  const { evaluation } = preparation.config;
  for (const { index, type, name, table } of tableEntries(preparation.config)) {
    // What is wrong with the table itself has been said by whoever checked the configuration.
    if (table === undefined || !registry.has(type)) continue;
    const { options, prepare } = registry.declarations(type);
    try {
      await prepare?.(parseOptions(table, options, type), preparation);
    } catch (cause) {
      const own = ["evaluation", ...(Array.isArray(evaluation) ? [index] : [])];
      const path = elsewhere(cause) ?? [...own, keyAtFault(cause, table)];
      found.push({ path, message: `The evaluator "${name}" cannot evaluate: ${messageOf(cause)}`, cause });
    }
  }
  const [first] = found;
  if (first === undefined) return;
  throw new ElenchusError("EVALUATION_CONFIG", found.map(({ message }) => message).join("\n"), {
    cause: first.cause,
    details: { path: first.path, faults: found.map(({ path, message }) => ({ path, message })) },
  });
}

/** A key outside the table, where the error names one and no option. */
function elsewhere(error: unknown): readonly string[] | undefined {
  const { option, path } = error instanceof ElenchusError ? error.details : {};
  return option === undefined && Array.isArray(path) ? (path as string[]) : undefined;
}

/** The option that the error names, if the table has it; else what asks for everything. */
function keyAtFault(error: unknown, table: Readonly<Record<string, unknown>>): string {
  const option = error instanceof ElenchusError ? error.details.option : undefined;
  return typeof option === "string" && table[option] !== undefined ? option : "type";
}
