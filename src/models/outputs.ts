import { ElenchusError } from "../base/index.js";

/**
 * How many outputs a model needs: one per class, one for regression, or more where `num_classes` says so.
 * @param classes of the data, 0 for regression
 * @throws CONFIG_INVALID when `num_classes` is less than the classes of the data
 */
export function outputCount(classes: number, numClasses: number | undefined): number {
  const needed = Math.max(classes, 1);
  if (numClasses === undefined) return needed;
  if (numClasses < needed) {
    throw new ElenchusError(
      "CONFIG_INVALID",
      `parameters.model.num_classes = ${numClasses}, but the data has ${needed} classes. Raise it, or leave it out.`,
    );
  }
  return numClasses;
}
