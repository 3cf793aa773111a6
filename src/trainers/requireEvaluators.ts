import { ElenchusError } from "../base/index.js";
import { registry, tableEntries } from "../evaluators/index.js";
import type { HostDescription } from "./trainerHost.js";

/**
 * Refuses a configuration whose evaluators are registered in this process and not where they are to run.
 * @param config the resolved configuration
 * @throws EVALUATOR_NOT_IN_WORKER naming the types and the mend
 */
export function requireEvaluators(config: unknown, { evaluators }: HostDescription): void {
  const types = new Set(tableEntries(config).map(({ type }) => type));
  const missing = [...types].filter((type) => registry.has(type) && !evaluators.includes(type));
  if (missing.length === 0) return;
  const names = missing.map((type) => JSON.stringify(type)).join(", ");
  throw new ElenchusError(
    "EVALUATOR_NOT_IN_WORKER",
    `The evaluator ${names} is registered in this process only, but evaluation runs in a worker process. Register it in a module of its own and name that module in \`imports\` of run(config, { imports }), or with --import; by default the program's main file is loaded.`,
    { details: { missing } },
  );
}
