import { messageOf } from "../base/index.js";
import { tf } from "./tensorflow.js";

/**
 * Makes a registered back end the current one.
 * @throws Error when it is not registered with this TensorFlow.js or does not start
 */
export async function activate(registeredName: string): Promise<void> {
  // Production mode silences advice on the console and changes no number.
  tf.enableProdMode();
  const factory = tf.findBackendFactory(registeredName);
  if (!factory) {
    throw new Error(`no back end "${registeredName}" was registered with TensorFlow.js ${tf.version_core}`);
  }
  if (await tf.setBackend(registeredName)) return;
  // TensorFlow.js keeps the reason to itself; a second try tells it.
  let reason: unknown = "no reason given";
  try {
    await factory();
  } catch (error) {
    reason = error;
  }
  throw new Error(`"${registeredName}" does not start: ${messageOf(reason)}`, { cause: reason });
}
