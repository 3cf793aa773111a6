import type { Catalog } from "../catalog.js";
import type { Config } from "../schema/config.js";
import { evaluationSchema } from "../schema/evaluation.js";

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
  const entry = catalog.trainers.find(({ name }) => name === config.trainer.type);
  if (!entry?.evaluations?.(config)) return config;
  const added = { ...evaluationSchema.parse({ type: EVALUATIONS }), name: EVALUATIONS };
  const { evaluation: _, results, ...before } = config;
  return { ...before, evaluation: tables.length === 0 ? added : [...tables, added], results } as Config;
}
