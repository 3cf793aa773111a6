import { ElenchusError, parseOptions } from "../../base/index.js";
import type { LanguageModel } from "../../language/index.js";
import { scorers } from "../../scoring/index.js";
import type { Tokenizer } from "../../tokenizers/index.js";
import { TaskDataset } from "../benchmark/taskDataset.js";
import { TaskGenerator } from "../benchmark/taskGenerator.js";
import { TaskProcessor } from "../benchmark/taskProcessor.js";
import { taskScorer } from "../benchmark/taskScorer.js";
import { createRowLoader, type RowOptions } from "../data/rowLoader.js";
import type { BaseDataset, DictSample, RowLimit } from "../datasets/baseDataset.js";
import { type DatasetSurroundings, datasetOf } from "../datasets/datasetOf.js";
import { datasets } from "../datasets/datasets.js";
import { generators } from "../generators/generators.js";
import { usualPace } from "../generators/inferenceGenerator.js";
import { samplingSettings } from "../generators/samplingParams.js";
import { createProcessor, processors } from "../processors/processors.js";
import { type ChosenTask, resolveTask } from "../resolveTask.js";
import type { Task } from "../task.js";
import { type EvalTask, type EvalTaskDocument, evalTaskSchema, taskParamsSchema } from "./evalTask.js";
import type { LabelledScorer, PipelineResult, PipelineSurroundings } from "./pipeline.js";
import { runPipeline } from "./runPipeline.js";

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

/**
 * Runs an evaluation that is described by a document: preprocess, generate, postprocess, score.
 * @throws CONFIG_INVALID for a document that does not fit; NAME_UNKNOWN; CAPABILITY_MISSING where the model cannot
 *   answer what is asked; as `runPipeline`
 */
export async function runEvalTask(
  document: EvalTaskDocument,
  surroundings: EvalTaskSurroundings,
): Promise<PipelineResult> {
  const task = parseEvalTask(document);
  const { name, params } = named(task.processor);
  return processors.has(name)
    ? await runProcessor(task, { name, params }, surroundings)
    : await runBenchmark(task, { chosen: benchmarkTask(name), params }, surroundings);
}

/**
 * A document with its defaults, all its names looked up.
 * @throws CONFIG_INVALID; NAME_UNKNOWN; CONFIG_CONFLICT for two scorers of one label
 */
export function parseEvalTask(document: EvalTaskDocument): EvalTask {
  const task = parseOptions(evalTaskSchema, document, "The evaluation");
  const { name, params } = named(task.processor);
  if (processors.has(name)) {
    createProcessor(name, params);
    if (task.dataset === undefined) throw noDataset(name);
    if (task.scorers.length === 0) throw noScorers(name);
  } else {
    benchmarkTask(name);
    parseOptions(taskParamsSchema, params ?? {}, `params of the task ${name}`);
  }
  if (typeof task.dataset === "string") datasets.lookup(task.dataset);
  generators.lookup(task.generator);
  labelledScorers(task);
  return task;
}

interface Named {
  readonly name: string;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
}

function named(one: string | Named): Named {
  return typeof one === "string" ? { name: one } : one;
}

async function runProcessor(
  task: EvalTask,
  { name, params }: Named,
  surroundings: EvalTaskSurroundings,
): Promise<PipelineResult> {
  const { model, concurrency, datasets: reach } = surroundings;
  const generator = generators.lookup(task.generator)({
    model,
    sampling: task.sampling,
    pace: usualPace(model, concurrency),
  });
  const parts = {
    dataset: datasetFor(task, reach)!,
    limit: limitOf(task),
    processor: createProcessor(name, params),
    generator,
    scorers: labelledScorers(task),
  };
  return await runPipeline(parts, surroundings);
}

async function runBenchmark(
  document: EvalTask,
  { chosen, params }: { chosen: ChosenTask; params: Named["params"] },
  surroundings: EvalTaskSurroundings,
): Promise<PipelineResult> {
  const { task } = chosen;
  const { model, concurrency, signal, tokenizer = model.tokenizer } = surroundings;
  const own = parseOptions(taskParamsSchema, params ?? {}, `params of the task ${task.name}`);
  const shots = own.shots ?? chosen.shots;
  const rows = await benchmarkRows(document, task, shots, surroundings);
  const chats = own.chat === "auto" ? tokenizer?.chatTemplate !== undefined : own.chat;
  const { maxNewTokens, stop, ...sampling } = samplingSettings(document.sampling);
  const parts = {
    dataset: new TaskDataset(task, rows, {
      shots,
      seed: own.seed,
      systemPrompt: own.system_prompt,
      chat: chats ? {} : undefined,
    }),
    limit: limitOf(document),
    processor: new TaskProcessor(task),
    generator: new TaskGenerator(task, model, {
      tokenizer,
      maxLength: own.max_length,
      sampling,
      stop,
      ...(document.sampling.max_tokens > 0 && { maxNewTokens }),
      pace: usualPace(model, concurrency),
    }),
    scorers: [{ label: shortName(task), scorer: taskScorer(task) }, ...labelledScorers(document)],
  };
  signal?.throwIfAborted();
  return await runPipeline(parts, surroundings);
}

/** Rows that are given are evaluated; examples are the task's own. */
async function benchmarkRows(
  document: EvalTask,
  task: Task,
  shots: number,
  { datasets: reach, taskRows = {}, signal }: EvalTaskSurroundings,
) {
  const given = datasetFor(document, reach);
  if (given === undefined) return (await (await createRowLoader(taskRows)).load(task, shots > 0)).rows;
  const evaluated = (await given.load(undefined, signal)).map(({ data }) => data);
  if (shots === 0 || task.shotsFixed) return { evaluated, pool: evaluated };
  const { rows } = await (await createRowLoader(taskRows)).load(task, true);
  return { evaluated, pool: rows.pool };
}

/** @throws NAME_UNKNOWN naming processors too; CONFIG_INVALID for a group of tasks */
function benchmarkTask(name: string): ChosenTask {
  let chosen: ReturnType<typeof resolveTask>;
  try {
    chosen = resolveTask(name);
  } catch (error) {
    if (!(error instanceof ElenchusError)) throw error;
    // A name with a dialect, or a file, is a task's; any other may be meant for a processor.
    if (/[:/\\.]/.test(name)) throw error;
    throw new ElenchusError(
      "NAME_UNKNOWN",
      `No such processor or task: "${name}". Processors are ${processors.registeredNames().join(", ")}; \`elenchus list tasks\` shows the tasks.`,
      { cause: error, details: { kind: "processor", name } },
    );
  }
  const [only] = chosen.tasks;
  if (only !== undefined && chosen.tasks.length === 1) return only;
  throw new ElenchusError(
    "CONFIG_INVALID",
    `${name} is a group of ${chosen.tasks.length} tasks. Run each by itself: ${chosen.tasks
      .slice(0, 4)
      .map(({ task }) => task.name)
      .join(", ")}...`,
  );
}

/** Without its dialect. */
function shortName({ name, dialect }: Task): string {
  return name.startsWith(`${dialect}:`) ? name.slice(dialect.length + 1) : name;
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

function limitOf({ row_limit, row_selection, row_seed }: EvalTask): RowLimit | undefined {
  return row_limit === undefined ? undefined : { rows: row_limit, choose: row_selection, seed: row_seed };
}

/** Scorers by label: their own names, and where one comes twice, a number behind it. */
function labelledScorers({ scorers: asked }: EvalTask): LabelledScorer[] {
  const labels = new Set<string>();
  return asked.map((one) => {
    const { name, label, params }: Named & { label?: string | undefined } =
      typeof one === "string" ? { name: one } : one;
    if (label !== undefined && labels.has(label)) {
      throw new ElenchusError(
        "CONFIG_CONFLICT",
        `Two scorers have the label "${label}". Give each one of its own.`,
      );
    }
    let own = label ?? name;
    for (let number = 2; labels.has(own); number++) own = `${name}#${number}`;
    labels.add(own);
    return { label: own, scorer: scorers.lookup(name), params };
  });
}

function noDataset(processor: string): ElenchusError {
  return new ElenchusError(
    "CONFIG_INVALID",
    `The processor "${processor}" has no rows of its own: name a dataset. Registered: ${datasets.registeredNames().join(", ")}.`,
  );
}

function noScorers(processor: string): ElenchusError {
  return new ElenchusError(
    "CONFIG_INVALID",
    `With the processor "${processor}" nothing is measured without scorers: name at least one; \`elenchus list scorers\` shows them.`,
  );
}
