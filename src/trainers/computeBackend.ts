import * as tf from "@tensorflow/tfjs-core";
import "@tensorflow/tfjs-backend-cpu";
import "@tensorflow/tfjs-layers";

/** Stands in until the compute room has its loader. */
export async function loadBackend(_wanted: string, _logger: unknown): Promise<{ name: string }> {
  await tf.setBackend("cpu");
  await tf.ready();
  return { name: "cpu" };
}
