import { ElenchusError, nearest } from "../base/index.js";
import type { EvaluatorPreparation } from "./evaluator.js";

/**
 * Looks whether there is a metric of the name that a table's `primary_metric` gives.
 * @param names of the metrics that there will be
 * @param givers what gives them, in words
 * @throws EVALUATION_CONFIG with the nearest name, and all
 */
export function requireMetric(primary: string | undefined, names: readonly string[], givers: string): void {
  if (primary === undefined || names.includes(primary)) return;
  const suggestion = nearest(primary, names);
  const hint = suggestion === undefined ? "" : ` Did you mean "${suggestion}"?`;
  throw new ElenchusError(
    "EVALUATION_CONFIG",
    `primary_metric is "${primary}", which ${givers} do not give.${hint} They give ${names.join(", ")}.`,
  );
}

/**
 * Looks whether a model can read so many tokens at once, where it is known before it is built.
 * @param key of the table
 * @throws EVALUATION_CONFIG
 */
export function requireLength(
  key: string,
  tokens: number | undefined,
  model: EvaluatorPreparation["model"],
): void {
  if (tokens === undefined || model === undefined || tokens <= model.contextLength) return;
  throw new ElenchusError(
    "EVALUATION_CONFIG",
    `${key} is ${tokens}, but the model ${model.name} reads ${model.contextLength} tokens at once. Set ${key} to at most ${model.contextLength}, or leave it out.`,
  );
}
