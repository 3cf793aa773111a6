import { z } from "zod";
import type { EvaluationInput } from "../evaluationInput.js";
import type { EvaluationResult } from "../evaluationResult.js";
import { Evaluator, type EvaluatorPreparation } from "../evaluator.js";
import { type LightevalConfig, lightevalOptions } from "./lightevalOptions.js";

/**
 * Benchmarks as lighteval asks and scores them, under the names that Plato's adapter gives them. The tasks are built
 * in, and so is what computes them.
 */
export class LightevalEvaluator extends Evaluator<LightevalConfig> {
  static description =
    "Benchmarks after a round: IFEval, HellaSwag, ARC, PIQA and all that `list tasks` shows";
  static options = lightevalOptions;
  static tokens = true;
  static heeds = ["data_dir"] as const;

  static async prepare(config: LightevalConfig, preparation: EvaluatorPreparation): Promise<void> {
    const { prepareTasks } = await import("./evaluateTasks.js");
    await prepareTasks(config, preparation);
  }

  /** @throws CAPABILITY_MISSING for a model that reads no tokens; what tasks, rows and the model throw */
  async evaluate(request: EvaluationInput): Promise<EvaluationResult> {
    // Parsed here too: an evaluator made by hand, as an override is, has not been through the registry.
    const options = z.object(lightevalOptions.shape).parse(this.config);
    const { evaluateTasks } = await import("./evaluateTasks.js");
    return await evaluateTasks({ ...this.config, ...options }, request);
  }
}
