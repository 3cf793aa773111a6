import { z } from "zod";
import type { EvaluationInput } from "../evaluationInput.js";
import type { EvaluationResult } from "../evaluationResult.js";
import { Evaluator, type EvaluatorPreparation } from "../evaluator.js";
import { type MixEvalConfig, mixEvalOptions } from "./mixEvalOptions.js";

/** MixEval and MixEval-Hard: the original's prompts, each different one asked once, scored with or without a judge. */
export class MixEvalEvaluator extends Evaluator<MixEvalConfig> {
  static description = "MixEval and MixEval-Hard: real users' questions, scored by rules or a judge";
  static options = mixEvalOptions;
  static tokens = true;
  static heeds = ["data_dir"] as const;

  static async prepare(config: MixEvalConfig, preparation: EvaluatorPreparation): Promise<void> {
    const { prepareMixEval } = await import("./evaluateMixEval.js");
    await prepareMixEval(config, preparation);
  }

  /** @throws CAPABILITY_MISSING for a model that reads no tokens; SCORING_FAILED; as `findRelease` and `openParser` */
  async evaluate(request: EvaluationInput): Promise<EvaluationResult> {
    // Parsed here too: an evaluator made by hand, as an override is, has not been through the registry.
    const options = z.object(mixEvalOptions.shape).parse(this.config);
    const { evaluateMixEval } = await import("./evaluateMixEval.js");
    return await evaluateMixEval({ ...this.config, ...options }, request);
  }
}
