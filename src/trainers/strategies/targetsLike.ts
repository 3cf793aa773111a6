import * as tf from "@tensorflow/tfjs-core";
import { ElenchusError } from "../../base/index.js";

/**
 * Labels as numbers in the shape of the outputs: as they are where there are as many, else class indices as one-hot rows.
 * @throws DATA_INVALID where they are neither
 */
export function targetsLike(outputs: tf.Tensor, labels: tf.Tensor, loss: string): tf.Tensor {
  if (labels.size === outputs.size) return tf.reshape(tf.cast(labels, "float32"), outputs.shape);
  const [rows = 0, width = 0] = outputs.shape;
  if (outputs.rank === 2 && labels.size === rows && labels.dtype === "int32") {
    return tf.cast(tf.oneHot(tf.reshape(labels, [rows]) as tf.Tensor1D, width), "float32");
  }
  throw new ElenchusError(
    "DATA_INVALID",
    `${loss} has outputs [${outputs.shape.join(", ")}] and labels [${labels.shape.join(", ")}]: expected a label for each output, or a class for each row. Choose another trainer.loss_criterion, or a model with as many outputs as there are labels.`,
  );
}
