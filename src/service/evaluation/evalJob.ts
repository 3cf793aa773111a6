import { z } from "zod";
import { samplingParamsSchema } from "../../api/index.js";
import { ElenchusError } from "../../base/index.js";
import type { LanguageModel } from "../../language/index.js";
import type { ScoringSurroundings } from "../../scoring/index.js";
import {
  type BaseDataset,
  datasets as builtInDatasets,
  createProcessor,
  type DatasetSurroundings,
  type DictSample,
  type EvalTaskDocument,
  evalTaskLabels,
  generators,
  type PipelineResult,
  type PipelineSurroundings,
  parseEvalTask,
  processors,
  requireOwnLabels,
  runEvalTask,
  runPipeline,
} from "../../tasks/index.js";
import { scorerOf } from "../scoring/scoringFunctions.js";
import { taskSampling } from "./taskSampling.js";

const params = z.record(z.string(), z.unknown());

/** A scorer by name, with params of this evaluation. */
export const chosenScorerSchema = z.object({ label: z.string(), name: z.string(), params });

/** What a job of kind `eval` is asked for. */
export const evalParamsSchema = z.object({
  /** A registered data set; null: the rows of the benchmark task itself. */
  dataset: z.string().nullable(),
  row_limit: z.int().positive().nullable(),
  row_selection: z.enum(["first", "sample"]),
  row_seed: z.int(),
  processor: z.string(),
  processor_params: params,
  model: z.string(),
  sampling: samplingParamsSchema,
  scorers: z.array(chosenScorerSchema),
  /** Whose evaluation it is: a benchmark's, or a task's of its own. */
  benchmark: z.string().nullable(),
});

export type EvalParams = z.output<typeof evalParamsSchema>;

/** What an evaluation works with, whatever it was asked for by. */
export interface EvalMeans extends PipelineSurroundings {
  readonly model: LanguageModel;
  /** Registered data sets. @throws NOT_FOUND */
  readonly openDataset: (id: string) => Promise<BaseDataset<DictSample>>;
  readonly judges: NonNullable<ScoringSurroundings["judges"]>;
  /** What data sets that came with the program may reach. */
  readonly reach: DatasetSurroundings;
}

/**
 * What cannot be had at all is said at once, not by a failed job.
 * @throws NOT_FOUND for a data set, NAME_UNKNOWN for a processor or task, CONFIG_INVALID for its params,
 *   ADDRESS_REFUSED for a task's file
 */
export async function requireParts(
  { dataset, processor, processor_params, scorers }: EvalParams,
  registered: { get(id: string): Promise<unknown> },
): Promise<void> {
  if (processors.has(processor)) createProcessor(processor, processor_params);
  else {
    const task = parseEvalTask({ processor: { name: processor, params: processor_params } });
    requireOwnLabels([...evalTaskLabels(task), ...scorers.map(({ label }) => label)]);
  }
  if (dataset !== null && !builtInDatasets.has(dataset)) await registered.get(dataset);
}

/** Runs an evaluation: with a processor over a data set, or as a benchmark task asks. */
export async function runEvaluation(
  given: EvalParams,
  { model, openDataset, reach, ...surroundings }: EvalMeans,
): Promise<PipelineResult> {
  const limit =
    given.row_limit === null
      ? undefined
      : { rows: given.row_limit, choose: given.row_selection, seed: given.row_seed };
  if (!processors.has(given.processor)) {
    return await runEvalTask(
      await benchmarkDocument(given, { openDataset, reach, signal: surroundings.signal }),
      {
        ...surroundings,
        model,
        datasets: reach,
      },
    );
  }
  if (given.dataset === null) {
    throw new ElenchusError(
      "REQUEST_INVALID",
      `The processor "${given.processor}" has no rows of its own: name a data set.`,
    );
  }
  return await runPipeline(
    {
      dataset: await datasetNamed(given.dataset, openDataset, reach),
      limit,
      processor: createProcessor(given.processor, given.processor_params),
      processorSpec: {
        name: given.processor,
        params: given.processor_params,
        entry: processors.lookup(given.processor),
      },
      generator: generators.lookup("inference")({ model, sampling: taskSampling(given.sampling) }),
      scorers: given.scorers.map(scorerOf),
    },
    surroundings,
  );
}

/** Registered here, else one that came with the program. @throws NOT_FOUND */
async function datasetNamed(
  id: string,
  openDataset: EvalMeans["openDataset"],
  reach: DatasetSurroundings,
): Promise<BaseDataset<DictSample>> {
  try {
    return await openDataset(id);
  } catch (error) {
    const unknown = error instanceof ElenchusError && error.code === "NOT_FOUND";
    if (!unknown || !builtInDatasets.has(id)) throw error;
    return builtInDatasets.lookup(id)(reach);
  }
}

/** Tasks hold the rows that they evaluate in memory, so rows of a registered data set can be handed over as they are. */
async function benchmarkDocument(
  given: EvalParams,
  { openDataset, reach, signal }: Pick<EvalMeans, "openDataset" | "reach" | "signal">,
): Promise<EvalTaskDocument> {
  const rows =
    given.dataset === null
      ? undefined
      : (await (await datasetNamed(given.dataset, openDataset, reach)).load(undefined, signal)).map(
          ({ data }) => ({ ...data }),
        );
  return {
    ...(rows !== undefined && { dataset: { type: "rows", identifier: given.dataset!, rows } }),
    ...(given.row_limit !== null && { row_limit: given.row_limit }),
    row_selection: given.row_selection,
    row_seed: given.row_seed,
    processor: { name: given.processor, params: given.processor_params },
    sampling: taskSampling(given.sampling),
    scorers: given.scorers.map(({ label, name, params: own }) => ({ label, name, params: own })),
  };
}
