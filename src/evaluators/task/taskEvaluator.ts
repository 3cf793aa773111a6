import { z } from "zod";
import type { EvaluationInput } from "../evaluationInput.js";
import type { EvaluationResult } from "../evaluationResult.js";
import { Evaluator, type EvaluatorPreparation } from "../evaluator.js";
import { type TaskConfig, taskOptions } from "./taskOptions.js";

/**
 * Any rows, asked about and scored: a data set, a processor and scorers by name, or a benchmark task with scorers beside
 * its own metrics.
 */
export class TaskEvaluator extends Evaluator<TaskConfig> {
  static description = "Rows of your own, asked about by a processor and judged by scorers";
  static options = taskOptions;
  static tokens = true;
  static heeds = ["data_dir"] as const;

  static async prepare(config: TaskConfig, preparation: EvaluatorPreparation): Promise<void> {
    const { prepareTask } = await import("./evaluateTask.js");
    await prepareTask(config, preparation);
  }

  /** @throws CAPABILITY_MISSING for a model that reads no tokens; as `runEvalTask` */
  async evaluate(request: EvaluationInput): Promise<EvaluationResult> {
    // Parsed here too: an evaluator made by hand, as an override is, has not been through the registry.
    const options = z.object(taskOptions.shape).parse(this.config);
    const { evaluateTask } = await import("./evaluateTask.js");
    return await evaluateTask({ ...this.config, ...options }, request);
  }
}
