import type { LanguageModel } from "../../language/index.js";
import type { Tokenizer } from "../../tokenizers/index.js";
import { TaskDataset } from "../benchmark/taskDataset.js";
import { TaskProcessor } from "../benchmark/taskProcessor.js";
import { createRowLoader, type LoadedRows, type RowOptions } from "../data/rowLoader.js";
import type { BaseDataset, DictSample, RowLimit } from "../datasets/baseDataset.js";
import { type DatasetSurroundings, datasetOf } from "../datasets/datasetOf.js";
import { datasets } from "../datasets/datasets.js";
import type { BaseGeneratorProcessor } from "../processors/baseProcessor.js";
import { createProcessor, processors } from "../processors/processors.js";
import type { Task, TaskRows } from "../task.js";
import type { EvalTask } from "./evalTask.js";
import { benchmarkTask, named, taskParams } from "./evalTaskNames.js";
import type { PipelineSurroundings, ProcessorSpec } from "./pipeline.js";

/** What an evaluation needs of the world. */
export interface EvalTaskSurroundings extends PipelineSurroundings {
  /** Who answers. */
  readonly model: LanguageModel;
  /** Where the model does not bring its own. */
  readonly tokenizer?: Tokenizer | undefined;
  /** Rows asked about at a time. Default: 32 together for a model that is computed here, 4 requests to a server. */
  readonly concurrency?: number | undefined;
  /** What data sets may reach. */
  readonly datasets?: DatasetSurroundings | undefined;
  /** Where the rows of benchmark tasks are looked for. */
  readonly taskRows?: RowOptions | undefined;
}

/** Rows and how they become questions: of a processor, or of a benchmark task. */
export type EvalSource =
  | {
      readonly kind: "processor";
      readonly dataset: BaseDataset<DictSample>;
      readonly processor: BaseGeneratorProcessor;
      readonly processorSpec: ProcessorSpec;
    }
  | {
      readonly kind: "task";
      readonly task: Task;
      readonly dataset: TaskDataset;
      readonly processor: TaskProcessor;
      readonly processorSpec: ProcessorSpec;
      readonly maxLength: number | undefined;
      /** As of `PipelineResult`. */
      readonly shortfall: string | undefined;
    };

/** Finds the rows of an evaluation, and what makes questions of them. */
export async function evalSource(
  document: EvalTask,
  surroundings: Omit<EvalTaskSurroundings, "model">,
): Promise<EvalSource> {
  const { name, params } = named(document.processor);
  if (processors.has(name)) {
    const dataset = datasetFor(document, surroundings.datasets)!;
    const processor = createProcessor(name, params);
    return {
      kind: "processor",
      dataset,
      processor,
      processorSpec: { name, params, entry: processors.lookup(name) },
    };
  }
  const { task, shots: usual } = benchmarkTask(name);
  const { shots = usual, seed, system_prompt: systemPrompt, chat, max_length } = taskParams(name, params);
  const { rows, shortfall } = await benchmarkRows(document, task, shots, surroundings);
  const chats = chat === "auto" ? surroundings.tokenizer?.chatTemplate !== undefined : chat;
  const options = { shots, seed, systemPrompt, chat: chats ? {} : undefined };
  return {
    kind: "task",
    task,
    dataset: new TaskDataset(task, rows, options),
    processor: new TaskProcessor(task),
    processorSpec: { name, entry: task },
    maxLength: max_length,
    shortfall,
  };
}

/** Rows that are given are evaluated; examples are the task's own. */
async function benchmarkRows(
  document: EvalTask,
  task: Task,
  shots: number,
  { datasets: reach, taskRows = {}, signal }: Omit<EvalTaskSurroundings, "model">,
): Promise<{ rows: TaskRows; shortfall: string | undefined }> {
  const load = async (examples: boolean) => (await createRowLoader(taskRows)).load(task, examples);
  const given = datasetFor(document, reach);
  if (given === undefined) {
    const found = await load(shots > 0);
    return { rows: found.rows, shortfall: shortfallOf(task, found) };
  }
  const evaluated = (await given.load(undefined, signal)).map(({ data }) => data);
  if (shots === 0 || task.shotsFixed) return { rows: { evaluated, pool: evaluated }, shortfall: undefined };
  const found = await load(true);
  const shortfall = found.excerpt ? shortfallOf(task, { excerpt: true, missing: [] }) : undefined;
  return { rows: { evaluated, pool: found.rows.pool }, shortfall };
}

/** What is measured on a part of a benchmark must not pass for the benchmark. */
function shortfallOf({ name }: Task, { excerpt, missing }: Pick<LoadedRows, "excerpt" | "missing">) {
  const parts = [
    ...(excerpt ? [`an excerpt of ${name}`] : []),
    ...missing.map((split) => `${name} without ${split}`),
  ];
  return parts.length > 0 ? parts.join(", ") : undefined;
}

function datasetFor(
  { dataset }: EvalTask,
  surroundings: DatasetSurroundings = {},
): BaseDataset<DictSample> | undefined {
  if (dataset === undefined) return undefined;
  return typeof dataset === "string"
    ? datasets.lookup(dataset)(surroundings)
    : datasetOf(dataset, surroundings);
}

/** Which rows are taken; undefined for all. */
export function rowLimitOf({ row_limit, row_selection, row_seed }: EvalTask): RowLimit | undefined {
  return row_limit === undefined ? undefined : { rows: row_limit, choose: row_selection, seed: row_seed };
}
