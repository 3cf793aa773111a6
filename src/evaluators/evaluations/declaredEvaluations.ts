import { isPlainObject } from "../jsonCopy.js";

/** Registered name of the evaluator that runs evaluations. */
export const EVALUATIONS = "evaluations";

/** The evaluations that a trainer's class declares as `static evaluations`; none where it has no such list. */
export function declaredEvaluations(trainer: unknown): readonly unknown[] {
  const declared: unknown = (trainer as { constructor?: { evaluations?: unknown } } | null | undefined)
    ?.constructor?.evaluations;
  return Array.isArray(declared) ? declared : [];
}

/**
 * A configuration with a table for the evaluations that a trainer's class declares, behind those that there are. The
 * same one where there is nothing to add: no declaration, or a table that says what is evaluated.
 */
export function withDeclaredEvaluations(config: unknown, trainer: unknown): unknown {
  if (declaredEvaluations(trainer).length === 0) return config;
  const { evaluation } = (config ?? {}) as { evaluation?: unknown };
  const tables = Array.isArray(evaluation) ? evaluation : evaluation === undefined ? [] : [evaluation];
  if (tables.some((table) => isPlainObject(table) && table.type === EVALUATIONS)) return config;
  const added = { type: EVALUATIONS, name: EVALUATIONS };
  return { ...(config as object), evaluation: tables.length === 0 ? added : [...tables, added] };
}
