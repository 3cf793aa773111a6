import { z } from "zod";
import type { EvaluationInput } from "../evaluationInput.js";
import type { EvaluationResult } from "../evaluationResult.js";
import { Evaluator, type EvaluatorPreparation } from "../evaluator.js";
import { type CoreConfig, coreOptions } from "./coreOptions.js";

/** CORE (Li et al. 2024), the mean of 22 centred accuracies, as nanochat measures it. */
export class NanochatCoreEvaluator extends Evaluator<CoreConfig> {
  static description = "CORE as nanochat measures it: the mean of 22 tasks with guessing taken off";
  static options = coreOptions;
  static primaryMetric = "core_metric";
  static metrics = {
    core_metric: { higherIsBetter: true, unit: "fraction" },
    core_metric_partial: { higherIsBetter: true, unit: "fraction" },
  };
  static tokens = true;
  static heeds = ["data_dir"] as const;

  static async prepare(config: CoreConfig, preparation: EvaluatorPreparation): Promise<void> {
    const { prepareCore } = await import("./evaluateCore.js");
    await prepareCore(config, preparation);
  }

  /** @throws CAPABILITY_MISSING for a model that reads no tokens; what bundle, tokenizer and model throw */
  async evaluate(request: EvaluationInput): Promise<EvaluationResult> {
    // Parsed here too: an evaluator made by hand, as an override is, has not been through the registry.
    const options = z.object(coreOptions.shape).parse(this.config);
    const { evaluateCore } = await import("./evaluateCore.js");
    return await evaluateCore({ ...this.config, ...options }, request);
  }
}
