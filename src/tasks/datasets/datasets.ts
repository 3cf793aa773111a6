import { type Registry, sharedRegistry } from "../../base/index.js";
import { BaseDataset, type DictSample } from "./baseDataset.js";
import { type DatasetDefinition, datasetDefinitionSchema } from "./datasetDefinition.js";
import { type DatasetSurroundings, datasetOf } from "./datasetOf.js";

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

/** Data sets whose rows hold their questions in `chat_completion_input`, for the processor `chat`. */
const OPEN_BENCHMARKS = [
  {
    identifier: "llamastack/simpleqa",
    path: "llamastack/simpleqa",
    config: null,
    split: "train",
    description: "SimpleQA: short questions about facts, to be graded by a judge",
  },
  {
    identifier: "llamastack/mmlu_cot",
    path: "llamastack/mmlu_cot",
    config: "all",
    split: "test",
    description: "MMLU with reasoning before the letter",
  },
  {
    identifier: "llamastack/gpqa_0shot_cot",
    path: "llamastack/gpqa_0shot_cot",
    config: "gpqa_main",
    split: "test",
    description: "GPQA with reasoning before the letter",
  },
  {
    identifier: "llamastack/math_500",
    path: "llamastack/math_500",
    config: null,
    split: "test",
    description: "MATH-500: competition mathematics, the answer in a box",
  },
  {
    identifier: "llamastack/IfEval",
    path: "llamastack/IfEval",
    config: null,
    split: "train",
    description: "IFEval: instructions whose following can be checked",
  },
] as const;
