import { TaskGenerator } from "../benchmark/taskGenerator.js";
import { taskScorer } from "../benchmark/taskScorer.js";
import { generators } from "../generators/generators.js";
import { usualPace } from "../generators/inferenceGenerator.js";
import { samplingSettings } from "../generators/samplingParams.js";
import type { EvalTaskDocument } from "./evalTask.js";
import { labelledScorers, parseEvalTask, taskLabel } from "./evalTaskNames.js";
import { type EvalTaskSurroundings, evalSource, rowLimitOf } from "./evalTaskSource.js";
import type { PipelineResult } from "./pipeline.js";
import { runPipeline } from "./runPipeline.js";

/**
 * Runs an evaluation that is described by a document: preprocess, generate, postprocess, score.
 * @throws CONFIG_INVALID for a document that does not fit; NAME_UNKNOWN; CAPABILITY_MISSING where the model cannot
 *   answer what is asked; as `runPipeline`
 */
export async function runEvalTask(
  document: EvalTaskDocument,
  surroundings: EvalTaskSurroundings,
): Promise<PipelineResult> {
  const task = parseEvalTask(document, surroundings.datasets);
  const { model, concurrency, tokenizer = model.tokenizer } = surroundings;
  const source = await evalSource(task, { ...surroundings, tokenizer });
  const pace = usualPace(model, concurrency);
  const scorers = labelledScorers(task);
  if (source.kind === "processor") {
    const generator = generators.lookup(task.generator)({ model, sampling: task.sampling, pace });
    return await runPipeline({ ...source, limit: rowLimitOf(task), generator, scorers }, surroundings);
  }
  const { maxNewTokens, stop, ...sampling } = samplingSettings(task.sampling);
  const generator = new TaskGenerator(source.task, model, {
    tokenizer,
    maxLength: source.maxLength,
    sampling,
    stop,
    ...(task.sampling.max_tokens > 0 && { maxNewTokens }),
    pace,
  });
  const own = { label: taskLabel(source.task), scorer: taskScorer(source.task) };
  const { shortfall } = source;
  if (shortfall !== undefined) {
    surroundings.logger?.warn(
      `The rows are ${shortfall}, and the result is partial. Give the data, or let the hub be reached, for the whole.`,
    );
  }
  const result = await runPipeline(
    { ...source, limit: rowLimitOf(task), generator, scorers: [own, ...scorers] },
    surroundings,
  );
  return { ...result, ...(shortfall !== undefined && { shortfall }) };
}
