import { z } from "zod";
import { ElenchusError } from "../../base/index.js";
import type { EvaluationInput } from "../evaluationInput.js";
import type { EvaluationResult } from "../evaluationResult.js";
import { Evaluator } from "../evaluator.js";
import { type ServiceConfig, serviceOptions } from "./serviceOptions.js";

/** Has another server evaluate the round's model, as a job. */
export class ServiceEvaluator extends Evaluator<ServiceConfig> {
  static description = "The round's model as a job of an evaluation service, waited for or collected later";
  static options = serviceOptions;
  static tokens = true;

  static prepare(config: ServiceConfig): void {
    const { token_variable: variable } = config;
    if (variable === undefined || process.env[variable]) return;
    throw new ElenchusError(
      "EVALUATION_CONFIG",
      `token_variable names ${variable}, which is not set. Set it to the service's token, or leave token_variable out.`,
    );
  }

  /**
   * @throws EvaluationPending with `wait = false`; SERVICE_UNREACHABLE and what the service says is wrong; what its job
   *   failed with
   */
  async evaluate(request: EvaluationInput): Promise<EvaluationResult> {
    const options = z.object(serviceOptions.shape).parse(this.config);
    const { evaluateByService } = await import("./evaluateByService.js");
    return await evaluateByService({ ...this.config, ...options }, request);
  }
}
