/**
 * The metric by which a trainer tests that is not told otherwise: the mean squared error where the loss is
 * `MSELoss`, or a sum whose first term is, else the accuracy.
 * @param loss `trainer.loss_criterion`
 * @param parameters `[parameters.loss_criterion]`
 */
export function testMetricOf(
  loss: string,
  parameters: Readonly<Record<string, unknown>> = {},
): "accuracy" | "mse" {
  const first = loss === "CompositeLoss" ? firstTerm(parameters.losses) : loss;
  return first === "MSELoss" ? "mse" : "accuracy";
}

function firstTerm(losses: unknown): unknown {
  const term: unknown = Array.isArray(losses) ? losses[0] : undefined;
  return typeof term === "object" && term !== null ? (term as { type?: unknown }).type : undefined;
}
