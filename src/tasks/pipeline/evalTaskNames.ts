import { ElenchusError, parseOptions } from "../../base/index.js";
import { parseModelReference } from "../../language/index.js";
import { scorers } from "../../scoring/index.js";
import type { DatasetSurroundings } from "../datasets/datasetOf.js";
import { datasets } from "../datasets/datasets.js";
import { isTaskFile } from "../files/taskFile.js";
import { generators } from "../generators/generators.js";
import { createProcessor, processors } from "../processors/processors.js";
import { type ChosenTask, resolveTask } from "../resolveTask.js";
import type { Task } from "../task.js";
import { type EvalTask, type EvalTaskDocument, evalTaskSchema, taskParamsSchema } from "./evalTask.js";
import type { LabelledScorer } from "./pipeline.js";

/**
 * A document with its defaults, all its names looked up and all params checked.
 * @param surroundings whether files of tasks may be read: where data sets may be anywhere
 * @throws CONFIG_INVALID; NAME_UNKNOWN; CONFIG_CONFLICT for two scorers of one label; ADDRESS_REFUSED for a task's file
 *   where none is read
 */
export function parseEvalTask(
  document: EvalTaskDocument,
  { files = "nowhere" }: Pick<DatasetSurroundings, "files"> = {},
): EvalTask {
  const task = parseOptions(evalTaskSchema, document, "The evaluation");
  const { name, params } = named(task.processor);
  if (files !== "anywhere" && !processors.has(name) && isTaskFile(name.split("|")[0]!))
    throw fileRefused(name);
  if (processors.has(name)) {
    createProcessor(name, params);
    if (task.dataset === undefined) throw noDataset(name);
    if (task.scorers.length === 0) throw noScorers(name);
  } else {
    benchmarkTask(name);
    taskParams(name, params);
  }
  requireOwnLabels(evalTaskLabels(task));
  if (typeof task.dataset === "string") datasets.lookup(task.dataset);
  generators.lookup(task.generator);
  for (const { scorer, params: own } of labelledScorers(task)) {
    // Begun and not read: nothing happens but that params are parsed.
    scorer.score([], own, undefined, { judges: NO_JUDGES });
    const reference = (own as { judge_model?: unknown } | undefined)?.judge_model;
    if (reference !== undefined) parseModelReference(reference);
  }
  return task;
}

/**
 * Metrics go by the label of their scorer, and by that of the benchmark.
 * @throws CONFIG_CONFLICT where two are the same, as one would cover the other
 */
export function requireOwnLabels(labels: readonly string[]): void {
  const twice = labels.find((label, place) => labels.indexOf(label) !== place);
  if (twice === undefined) return;
  throw new ElenchusError(
    "CONFIG_CONFLICT",
    `Two of the scorers, the benchmark's own among them, are called "${twice}", so one would cover the other. Give each a label of its own.`,
  );
}

/** Where params are only looked at, no model is opened. */
const NO_JUDGES = {
  open(): never {
    throw new Error("no judge is opened while params are checked");
  },
};

/** What the metrics of an evaluation are called by, a benchmark task's own first. */
export function evalTaskLabels(task: EvalTask): string[] {
  const { name } = named(task.processor);
  const own = processors.has(name) ? [] : [taskLabel(benchmarkTask(name).task)];
  return [...own, ...labelledScorers(task).map(({ label }) => label)];
}

/** The benchmark task of an evaluation; undefined where a processor asks. */
export function evalTaskBenchmark(task: EvalTask): Task | undefined {
  const { name } = named(task.processor);
  return processors.has(name) ? undefined : benchmarkTask(name).task;
}

/** A name, perhaps with params. */
export interface Named {
  readonly name: string;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
}

export function named(one: string | Named): Named {
  return typeof one === "string" ? { name: one } : one;
}

/** @throws CONFIG_INVALID */
export function taskParams(name: string, params: unknown) {
  return parseOptions(taskParamsSchema, params ?? {}, `params of the task ${name}`);
}

/** Scorers by label: their own names, and where one comes twice, a number behind it. */
export function labelledScorers({ scorers: asked }: EvalTask): LabelledScorer[] {
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

/** @throws NAME_UNKNOWN naming processors too; CONFIG_INVALID for a group of tasks */
export function benchmarkTask(name: string): ChosenTask {
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

/** The task's name without its dialect. */
export function taskLabel({ name, dialect }: Task): string {
  return name.startsWith(`${dialect}:`) ? name.slice(dialect.length + 1) : name;
}

function fileRefused(name: string): ElenchusError {
  return new ElenchusError(
    "ADDRESS_REFUSED",
    `${JSON.stringify(name)} is a file of a task, and files are not read here. Name a registered task; \`elenchus list tasks\` shows them.`,
  );
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
