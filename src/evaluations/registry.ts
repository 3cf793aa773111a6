import { sharedRegistry } from "../base/index.js";
import { checkEvaluationClass, type EvaluationClass } from "./checkEvaluationClass.js";

/** The evaluations by the names that `evaluations = [...]` gives. */
export const evaluations = sharedRegistry<EvaluationClass>("evaluation", () => {});

/** How an evaluation is registered. */
export interface EvaluationRegistration {
  /** Allow a taken name to be replaced. Default false. */
  readonly replace?: boolean;
}

/**
 * Registers a class: `evaluation("my_eval", MyEval)`, or as a decorator `@evaluation("my_eval") class MyEval ...`.
 * @throws EVALUATION_CONFIG as `checkEvaluationClass`; NAME_TAKEN without `replace`; NAME_INVALID
 */
export function evaluation<C extends EvaluationClass>(
  name: string,
  target: C,
  options?: EvaluationRegistration,
): C;
export function evaluation(
  name: string,
  options?: EvaluationRegistration,
): <C extends EvaluationClass>(target: C, context?: unknown) => C;
export function evaluation(
  name: string,
  target: EvaluationClass | EvaluationRegistration = {},
  options: EvaluationRegistration = {},
): EvaluationClass | ((target: EvaluationClass) => EvaluationClass) {
  if (isRegistration(target)) return (decorated) => register(name, decorated, target);
  return register(name, target, options);
}

/** Anything else is taken for a class, and refused where it is none. */
function isRegistration(target: unknown): target is EvaluationRegistration {
  return typeof target === "object" && target !== null;
}

function register<C extends EvaluationClass>(
  name: string,
  target: C,
  { replace = false }: EvaluationRegistration,
): C {
  checkEvaluationClass(target, JSON.stringify(name));
  evaluations.register(name, target, { replace, description: target.description ?? "" });
  return target;
}
