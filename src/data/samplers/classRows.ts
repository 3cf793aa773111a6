import { ElenchusError } from "../../base/index.js";
import type { CatalogEntry } from "../../config/index.js";
import type { Dataset } from "../dataset.js";

/**
 * The rows of each class, in the order of the data. Of text, whose labels are owners, those stand for classes.
 * @throws DATA_INVALID for data without classes (regression)
 */
export function classRows({ classes, groups, tokens, labels }: Dataset, sampler: string): Int32Array[] {
  if (classes === 0) {
    throw new ElenchusError(
      "DATA_INVALID",
      `The sampler ${sampler} skews classes, but this data set has none (regression). Use data.sampler = "iid".`,
      { details: { path: ["data", "sampler"] } },
    );
  }
  const counts = new Int32Array(tokens === true && groups !== undefined ? groups.names.length : classes);
  for (const label of labels) counts[label]!++;
  const rows = Array.from(counts, (count) => new Int32Array(count));
  counts.fill(0);
  labels.forEach((label, row) => {
    rows[label]![counts[label]!++] = row;
  });
  return rows;
}

/** The check of a sampler that needs classes: made before the rows are there, where their form is known. */
export const needsClasses: NonNullable<CatalogEntry["check"]> = (_, facts) =>
  facts?.classes === 0
    ? [{ path: ["data", "sampler"], expected: 'one for data without classes (regression), such as "iid"' }]
    : [];
