import { ElenchusError, messageOf, optionFaults } from "../../base/index.js";
import { checkEvaluationClass } from "../../evaluations/checkEvaluationClass.js";
import type { Evaluation, EvaluationClass } from "../../evaluations/index.js";
import { evaluations } from "../../evaluations/registry.js";
import { optionsFor } from "./tableOptions.js";

/** An evaluation, and what a user knows it by. */
export interface NamedEvaluation {
  /** Name by which it was registered, else that of its class. */
  readonly registered: string;
  readonly evaluation: Evaluation<unknown>;
}

/**
 * Makes the evaluations of a table: those that it names, else those that the trainer's class declares.
 * @throws NAME_UNKNOWN; EVALUATION_CONFIG where there are none, where one cannot be used, where options do not fit,
 *   where two have one name
 */
export function chosenEvaluations(
  table: Readonly<Record<string, unknown>>,
  declared: readonly unknown[],
): NamedEvaluation[] {
  const names = table.evaluations as readonly string[] | undefined;
  const classes = names?.map((name) => [name, evaluations.lookup(name)] as const) ?? classesOf(declared);
  if (classes.length === 0) {
    throw new ElenchusError(
      "EVALUATION_CONFIG",
      `There is nothing to evaluate: the table has no \`evaluations\`, and the trainer's class declares none. Registered: ${evaluations.registeredNames().join(", ") || "none"}.`,
    );
  }
  const made = classes.map(([registered, evaluation]) => ({
    registered,
    evaluation: make(registered, evaluation, table),
  }));
  const all = made.map(({ evaluation }) => evaluation.name);
  const twice = all.find((name, place) => all.indexOf(name) !== place);
  if (twice === undefined) return made;
  throw new ElenchusError(
    "EVALUATION_CONFIG",
    `Two evaluations are named "${twice}", and each name is one column. Give them different names.`,
  );
}

function classesOf(declared: readonly unknown[]): (readonly [string, EvaluationClass])[] {
  return declared.map((given) => {
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
    const faults = optionFaults(parsed.error, given, { schema: evaluation.options! });
    throw new ElenchusError(
      "EVALUATION_CONFIG",
      `The options of the evaluation "${name}" are not usable: ${faults.join("; ")}.`,
    );
  }
  try {
    return new evaluation((parsed?.data ?? given) as never);
  } catch (cause) {
    const message = `The evaluation "${name}" cannot be made: ${messageOf(cause)}`;
    throw new ElenchusError("EVALUATION_CONFIG", message, { cause });
  }
}
