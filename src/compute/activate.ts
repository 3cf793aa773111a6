import { tf } from "./tensorflow.js";

/**
 * Makes a registered back end the current one.
 * @throws Error when it is not registered with this TensorFlow.js or does not start
 */
export async function activate(registeredName: string): Promise<void> {
  // Production mode silences advice on the console and changes no number.
  tf.enableProdMode();
  if (!tf.engine().registryFactory[registeredName]) {
    throw new Error(`no back end "${registeredName}" was registered with TensorFlow.js ${tf.version_core}`);
  }
  if (!(await tf.setBackend(registeredName))) throw new Error(`"${registeredName}" does not start`);
}
