import { type Registry, sharedRegistry } from "../../base/index.js";
import { BaseDataset, type DictSample } from "./baseDataset.js";
import { type DatasetDefinition, datasetDefinitionSchema } from "./datasetDefinition.js";
import { type DatasetSurroundings, datasetOf } from "./datasetOf.js";
import { OPEN_BENCHMARKS } from "./openBenchmarks.js";

/** Makes a data set where it is used. */
export type DatasetFactory = (surroundings: DatasetSurroundings) => BaseDataset<DictSample>;

/** The data sets of this process, by name. */
export const datasets: Registry<DatasetFactory> = sharedRegistry<DatasetFactory>("dataset", (registry) => {
  for (const { identifier, path, config, split, description } of OPEN_BENCHMARKS) {
    const definition = datasetDefinitionSchema.parse({
      type: "huggingface",
      identifier,
      dataset_path: path,
      dataset_name: config,
      kwargs: { split },
    });
    registry.register(identifier, (surroundings) => datasetOf(definition, surroundings), { description });
  }
});

/**
 * Registers a data set, or what describes one, under its own name.
 * @throws NAME_TAKEN without `replace`
 */
export function registerDataset(
  dataset: BaseDataset<DictSample> | DatasetDefinition,
  options: { replace?: boolean; description?: string } = {},
): void {
  if (dataset instanceof BaseDataset) datasets.register(dataset.datasetId, () => dataset, options);
  else datasets.register(dataset.identifier, (around) => datasetOf(dataset, around), options);
}
