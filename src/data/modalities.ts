import type { Batch, Dataset } from "./dataset.js";

/** Names of the parts of an input that a client may lack. */
export function modalityNames({ modalities }: Dataset): readonly string[] {
  return modalities?.map(({ name }) => name) ?? ["rgb"];
}

/** The same rows with 0 at the places of what is not in `names`; the data set itself where nothing is missing. */
export function withModalities(dataset: Dataset, names: readonly string[]): Dataset {
  const missing = (dataset.modalities ?? []).filter(({ name }) => !names.includes(name));
  if (missing.length === 0) return dataset;
  const { length, inputShape, classes, labels, groups, modalities, blank } = dataset;
  const batch = (indices: ArrayLike<number>): Batch => {
    const rows = dataset.batch(indices);
    const width = inputShape.reduce((product, size) => product * size, 1);
    for (const { places } of missing) {
      for (let row = 0; row < rows.length; row++) {
        for (const place of places) rows.inputs[row * width + place] = 0;
      }
    }
    return rows;
  };
  return {
    length,
    inputShape,
    classes,
    labels,
    ...(groups && { groups }),
    ...(modalities && { modalities }),
    ...(blank && { blank }),
    batch,
  };
}
