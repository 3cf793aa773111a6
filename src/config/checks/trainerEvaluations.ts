import type { Catalog } from "../catalog.js";
import type { Config } from "../schema/config.js";
import { evaluationSchema } from "../schema/evaluation.js";
import type { Report } from "./report.js";

/** Registered evaluator of what a trainer's class declares, and the name of its table. */
const EVALUATIONS = "evaluations";

/**
 * A configuration with the table that its trainer implies: the evaluations that the trainer's class declares run as
 * an evaluator of their own, behind the others. None is added where a table of that type says what is evaluated, or
 * where the server does not test.
 */
export function withTrainerEvaluations(config: Config | null, catalog: Catalog): Config | null {
  if (config === null || !config.server.do_test) return config;
  const tables = [config.evaluation ?? []].flat();
  if (tables.some(({ type }) => type === EVALUATIONS)) return config;
  if (!declared(config, catalog)) return config;
  const added = { ...evaluationSchema.parse({ type: EVALUATIONS }), name: EVALUATIONS };
  const { evaluation: _, results, ...before } = config;
  return { ...before, evaluation: tables.length === 0 ? added : [...tables, added], results } as Config;
}

/** A table that names no evaluations runs those of the trainer, which may have none. */
export function checkTrainerEvaluations(config: Config, catalog: Catalog, report: Report): void {
  const { evaluation } = config;
  for (const [place, table] of [evaluation ?? []].flat().entries()) {
    if (table.type !== EVALUATIONS || table.evaluations !== undefined) continue;
    if (declared(config, catalog) !== false) continue;
    const path = ["evaluation", ...(Array.isArray(evaluation) ? [place] : []), "evaluations"];
    report.error("CONFIG_MISSING_KEY", path, {
      expected: `a list of registered evaluations, since the trainer "${config.trainer.type}" declares none`,
    });
  }
}

/** Undefined where that cannot be seen before the run. */
function declared(config: Config, catalog: Catalog): boolean | undefined {
  return catalog.trainers.find(({ name }) => name === config.trainer.type)?.evaluations?.(config);
}
