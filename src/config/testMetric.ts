/**
 * The metric by which a trainer tests that is not told otherwise: the mean squared error where the loss is
 * `MSELoss`, else the accuracy.
 * @param loss `trainer.loss_criterion`
 */
export function testMetricOf(loss: string): "accuracy" | "mse" {
  return loss === "MSELoss" ? "mse" : "accuracy";
}
