import { z } from "zod";
import { ElenchusError } from "../../base/index.js";
import type { EvaluationInput } from "../evaluationInput.js";
import { EvaluationResult } from "../evaluationResult.js";
import { Evaluator } from "../evaluator.js";
import { testPredictions } from "../testPredictions.js";
import { classDetails, confusionMatrix, confusionMetrics, matrixRows } from "./confusion.js";
import { expectedCalibrationError, logitSums } from "./probabilities.js";

const FRACTION = { higherIsBetter: true, unit: "fraction" };

const options = z.strictObject({
  top_k: z
    .int()
    .positive()
    .default(5)
    .meta({ description: "`top_k_accuracy` counts rows whose true class is among so many." }),
  bins: z
    .int()
    .positive()
    .max(10_000)
    .default(15)
    .meta({ description: "Equal-width confidence bins of the expected calibration error." }),
  per_class: z
    .boolean()
    .default(false)
    .meta({ description: "Also record precision, recall, F1 and support of every class." }),
});

type Config = Readonly<z.output<typeof options> & { limit?: number }> & Readonly<Record<string, unknown>>;

/** The usual metrics of a classifier, from its logits on the test set. */
export class ClassificationEvaluator extends Evaluator<Config> {
  static description = "Accuracy, precision, recall, F1, log loss, calibration and kappa on the test set";
  static primaryMetric = "accuracy";
  static options = options;
  static metrics = {
    accuracy: FRACTION,
    balanced_accuracy: FRACTION,
    precision_macro: FRACTION,
    recall_macro: FRACTION,
    f1_macro: FRACTION,
    precision_weighted: FRACTION,
    recall_weighted: FRACTION,
    f1_weighted: FRACTION,
    cohens_kappa: { higherIsBetter: true, unit: "-1 to 1" },
    log_loss: { higherIsBetter: false, unit: "nats" },
    top_k_accuracy: FRACTION,
    expected_calibration_error: { higherIsBetter: false, unit: "fraction" },
  };

  /** @throws DATA_INVALID where a label is no class of the model's */
  async evaluate(request: EvaluationInput): Promise<EvaluationResult> {
    // Parsed here too: an evaluator made by hand, as an override is, has not been through the registry.
    const { top_k, bins, per_class } = z.object(options.shape).parse(this.config);
    const tested = await testPredictions(request, this.config.limit ?? -1);
    const { outputs, width, labels, classNames, sampled } = tested;
    checkLabels(labels, width);

    const { rows, predictions, confidences, surprise, withinTop } = logitSums(outputs, labels, {
      classes: width,
      k: top_k,
    });
    const correct = Uint8Array.from(predictions, (prediction, row) => (prediction === labels[row] ? 1 : 0));
    for (const [place, doc] of tested.rows.entries()) {
      await request.samples?.add("test", {
        doc,
        requests: [],
        answers: [predictions[place]],
        gold: labels[place],
        scores: { accuracy: correct[place]! },
      });
    }
    const matrix = confusionMatrix(labels, predictions, width);
    const metrics: Record<string, number> = {
      ...confusionMetrics(matrix),
      log_loss: surprise / rows,
      top_k_accuracy: withinTop / rows,
      expected_calibration_error: expectedCalibrationError(confidences, correct, bins)!,
    };
    const mean = (numerator: number) => ({ numerator, denominator: rows, transform: "identity" as const });

    return new EvaluationResult({
      evaluator: "classification",
      primaryMetric: "accuracy",
      metrics,
      higherIsBetter: Object.fromEntries(
        Object.entries(ClassificationEvaluator.metrics)
          .filter(([name]) => Object.hasOwn(metrics, name))
          .map(([name, { higherIsBetter }]) => [name, higherIsBetter]),
      ),
      metadata: { rows, classes: width, top_k, bins },
      artifacts: {
        confusion_matrix: {
          rows: "true class",
          columns: "predicted class",
          ...(classNames && { class_names: classNames }),
          counts: matrixRows(matrix),
        },
      },
      details: per_class ? classDetails(matrix) : {},
      sums: {
        accuracy: mean(correct.reduce((sum, one) => sum + one, 0)),
        log_loss: mean(surprise),
        top_k_accuracy: mean(withinTop),
      },
      standardErrors: shareErrors({ accuracy: metrics.accuracy!, top_k_accuracy: withinTop / rows }, rows),
      sampled,
    });
  }
}

/** Of shares of n rows: `sqrt(p (1 - p) / (n - 1))`; of a single row there is none. */
function shareErrors(shares: Readonly<Record<string, number>>, n: number): Record<string, number> {
  if (n < 2) return {};
  return Object.fromEntries(
    Object.entries(shares).map(([name, p]) => [name, Math.sqrt((p * (1 - p)) / (n - 1))]),
  );
}

function checkLabels(labels: ArrayLike<number>, classes: number): void {
  for (let row = 0; row < labels.length; row++) {
    const label = labels[row]!;
    if (Number.isInteger(label) && label >= 0 && label < classes) continue;
    throw new ElenchusError(
      "DATA_INVALID",
      `The test set has the label ${label}, and the model ${classes} outputs: expected class indices from 0 to ${classes - 1}.`,
    );
  }
}
