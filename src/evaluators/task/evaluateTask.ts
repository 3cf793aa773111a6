import { columnName, ElenchusError } from "../../base/index.js";
import { type Config, pathsOf } from "../../config/index.js";
import { openModel, parseModelReference } from "../../language/index.js";
import { openScoringThreads } from "../../scoring/index.js";
import {
  checkEvalTask,
  type EvalTaskDocument,
  evalTaskLabels,
  MemoryStages,
  modelJudges,
  type PipelineResult,
  parseEvalTask,
  runEvalTask,
} from "../../tasks/index.js";
import type { EvaluationInput } from "../evaluationInput.js";
import type { EvaluationResult } from "../evaluationResult.js";
import type { EvaluatorPreparation } from "../evaluator.js";
import { requestedLanguageModel } from "../requestedLanguageModel.js";
import { logRows } from "./loggedRows.js";
import type { TaskConfig } from "./taskOptions.js";
import { taskResult } from "./taskResult.js";

/** A configuration is its owner's own: it may name any file. */
const FILES = { files: "anywhere" } as const;

/**
 * Looks for names, params, rows and settings that would fail later.
 * @throws as `checkEvalTask`; EVALUATION_CONFIG for a primary metric of no scorer
 */
export async function prepareTask(
  config: TaskConfig,
  { tokenizer, hub, config: whole }: EvaluatorPreparation,
): Promise<void> {
  const document = documentOf(config, whole.trainer.random_seed);
  const labels = evalTaskLabels(parseEvalTask(document, FILES));
  requirePrimary(config, labels);
  const { data_dir: dataDir, sources } = config;
  const { used } = await checkEvalTask(document, {
    tokenizer,
    datasets: { ...FILES, hub },
    taskRows: { dataDir, sources, hub },
  });
  if (used > 0) return;
  throw new ElenchusError("DATA_INVALID", "The data set has no rows, so there is nothing to ask about.");
}

/** Runs the evaluation of a table on the model of a request. */
export async function evaluateTask(config: TaskConfig, request: EvaluationInput): Promise<EvaluationResult> {
  const { logger, signal, samples } = request;
  const document = documentOf(config, request.seed);
  const task = parseEvalTask(document, FILES);
  const { data_dir: dataDir, sources, batch_size: concurrency } = config;
  const { model, tokenizer, release } = await requestedLanguageModel(request);
  const results = resultsOf(request.config);
  const self = { name: model.name, model, tokenizer };
  const stages = new MemoryStages();
  const threads = openScoringThreads({
    threads: 1,
    deadline: config.row_deadline,
    settings: { deadline: "row_deadline" },
    logger,
  });
  try {
    const result = await runEvalTask(document, {
      model,
      tokenizer,
      concurrency,
      stages,
      signal,
      logger,
      threads,
      datasets: FILES,
      taskRows: { dataDir, sources },
      judges: modelJudges({
        open: (reference) => openModel(parseModelReference(reference), { self, logger, results }),
        logger,
      }),
    });
    warnOfFailures(result, request);
    await logRows(samples, sampleName(document), { stages, result });
    return taskResult(config, task, result);
  } finally {
    await threads.close();
    await release();
  }
}

function documentOf(config: TaskConfig, seed: number): EvalTaskDocument {
  const { dataset, processor, generator, sampling, scorers, row_selection, row_seed, limit = -1 } = config;
  return {
    ...(dataset !== undefined && { dataset }),
    processor,
    generator,
    sampling,
    scorers,
    ...(limit > 0 && { row_limit: limit }),
    row_selection,
    row_seed: row_seed ?? seed,
  };
}

function requirePrimary({ primary_metric: primary }: TaskConfig, labels: readonly string[]): void {
  if (primary === undefined) return;
  const names = labels.map(columnName);
  if (names.some((name) => primary === name || primary.startsWith(`${name}_`))) return;
  throw new ElenchusError(
    "EVALUATION_CONFIG",
    `primary_metric is "${primary}", which no scorer gives. Expected ${names.map((name) => `${name}_...`).join(", ")}: the scorer, and its metric.`,
  );
}

/** What samples are filed under. */
function sampleName({ processor, dataset }: EvalTaskDocument): string {
  if (typeof dataset === "string") return dataset;
  return dataset?.identifier ?? (typeof processor === "string" ? processor : processor.name);
}

/** Undefined in a foreign loop, whose configuration says nothing of folders. */
function resultsOf(config: unknown): string | undefined {
  try {
    return pathsOf(config as Config).results;
  } catch {
    return undefined;
  }
}

function warnOfFailures({ rows, failures, scorers }: PipelineResult, { logger }: EvaluationInput): void {
  const [first] = failures;
  if (first !== undefined) {
    logger.warn(
      `[task] ${rows.used - rows.answered} of ${rows.used} rows were not answered; row ${first.index}: ${first.message}`,
    );
  }
  for (const { label, judged, unjudged } of scorers) {
    if (unjudged > 0) logger.warn(`[task] ${label} could not judge ${unjudged} of ${judged + unjudged} rows`);
  }
}
