import type { Dataset } from "../data/index.js";

/**
 * A data set to be handed out: whatever is done to it, the rows themselves stay as they are. Labels are copied
 * once they are asked for, batches are copies anyway.
 */
export function ownRows(dataset: Dataset): Dataset {
  let labels: Dataset["labels"] | undefined;
  return {
    length: dataset.length,
    inputShape: [...dataset.inputShape],
    classes: dataset.classes,
    get labels() {
      labels ??= dataset.labels.slice();
      return labels;
    },
    ...(dataset.groups && { groups: structuredClone(dataset.groups) }),
    batch: (indices) => dataset.batch(indices),
  };
}
