import { ElenchusError } from "../../base/index.js";
import { checkEvaluationClass } from "../../evaluations/checkEvaluationClass.js";
import type { Evaluation, EvaluationClass } from "../../evaluations/index.js";
import { evaluations } from "../../evaluations/registry.js";
import { declaredEvaluations } from "./declaredEvaluations.js";
import { optionsFor } from "./tableOptions.js";

/**
 * Makes the evaluations of a table: those that it names, else those of the trainer's class.
 * @throws NAME_UNKNOWN; EVALUATION_CONFIG where there are none, where one cannot be used, where options do not fit
 */
export function chosenEvaluations(
  table: Readonly<Record<string, unknown>>,
  trainer: unknown,
): Evaluation<unknown>[] {
  const names = table.evaluations as readonly string[] | undefined;
  const classes = names?.map((name) => [name, evaluations.lookup(name)] as const) ?? ofTrainer(trainer);
  if (classes.length === 0) {
    throw new ElenchusError(
      "EVALUATION_CONFIG",
      `There is nothing to evaluate: the table has no \`evaluations\`, and the trainer's class declares none. Registered: ${evaluations.registeredNames().join(", ") || "none"}.`,
    );
  }
  return classes.map(([name, evaluation]) => make(name, evaluation, table));
}

function ofTrainer(trainer: unknown): (readonly [string, EvaluationClass])[] {
  return declaredEvaluations(trainer).map((given) => {
    checkEvaluationClass(given, nameOf(given));
    return [nameOf(given), given] as const;
  });
}

/** The name it is registered by, else that of the class. */
function nameOf(given: unknown): string {
  const registered = evaluations.registeredNames().find((name) => evaluations.lookup(name) === given);
  return registered ?? (typeof given === "function" ? given.name : String(given));
}

function make(
  name: string,
  evaluation: EvaluationClass,
  table: Readonly<Record<string, unknown>>,
): Evaluation<unknown> {
  const given = optionsFor(name, evaluation, table);
  const parsed = evaluation.options?.safeParse(given);
  if (parsed?.error) {
    const faults = parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
    throw new ElenchusError(
      "EVALUATION_CONFIG",
      `The options of the evaluation "${name}" are not usable: ${faults.join("; ")}.`,
    );
  }
  return new evaluation((parsed?.data ?? given) as never);
}
