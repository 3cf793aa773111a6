import { ElenchusError, messageOf } from "../base/index.js";
import { activate } from "./activate.js";
import {
  BACKEND_NAMES,
  type Backend,
  type BackendChoice,
  type BackendName,
  type KernelMode,
  type LoadBackendOptions,
  type PackageImporter,
} from "./backend.js";
import { bestArithmetic } from "./kernels/tensorKernels.js";
import { tf } from "./tensorflow.js";
import { loadWasm } from "./wasmBackend.js";

const MEND: Readonly<Record<BackendName, string>> = {
  "node-gpu": "Install it with: npm install @tensorflow/tfjs-node-gpu@4.22.0 (needs CUDA)",
  node: "Install it with: npm install @tensorflow/tfjs-node@4.22.0",
  wasm: "Reinstall with: npm ci",
  cpu: "Reinstall with: npm ci",
};

/**
 * Loads a back end, makes it the one that TensorFlow.js works on and checks that it can multiply and
 * differentiate. `auto` takes the first of node-gpu, node, wasm and cpu that passes; one that is installed and
 * fails is named in a warning.
 * @throws BACKEND_UNAVAILABLE when the back end asked for cannot be used
 */
export async function loadBackend(choice: BackendChoice, options: LoadBackendOptions): Promise<Backend> {
  const { logger } = options;
  const importer = options.importer ?? ((name: string) => import(name));
  if (choice !== "auto") {
    try {
      return await load(choice, choice, importer, options);
    } catch (error) {
      throw unavailable(choice, error);
    }
  }

  const failures: unknown[] = [];
  for (const name of BACKEND_NAMES) {
    try {
      return await load(name, choice, importer, options);
    } catch (error) {
      failures.push(error);
      if (isNotInstalled(name, error)) logger.debug(`The compute back end ${name} is not installed.`);
      else
        logger.warn(`The compute back end ${name} cannot be used: ${messageOf(error)}. Trying the next one.`);
    }
  }
  throw unavailable("auto", failures.at(-1));
}

async function load(
  name: BackendName,
  requested: BackendChoice,
  importer: PackageImporter,
  { logger }: LoadBackendOptions,
): Promise<Backend> {
  let kernels: KernelMode = "none";
  if (name === "wasm") {
    kernels = await loadWasm(importer, logger);
  } else if (name === "cpu") {
    await importer("@tensorflow/tfjs-backend-cpu");
    await activate("cpu");
  } else {
    // The name is no literal, so that the package may be absent when this is compiled.
    await importer(`@tensorflow/tfjs-${name}`);
    await activate("tensorflow");
  }
  selfCheck();
  const arithmetic = kernels === "none" ? undefined : bestArithmetic();
  return { name, requested, version: tf.version_core, kernels, arithmetic, tf };
}

/** A product and its gradient, small enough to do by head. */
function selfCheck(): void {
  const [value, gradient] = tf.tidy(() => {
    const x = tf.tensor2d([1, 2, 3, -4], [2, 2]);
    const weights = tf.tensor2d([2, 0, 1, -1], [2, 2]);
    const loss = (input: tf.Tensor) => tf.sum(tf.matMul(input as tf.Tensor2D, weights)) as tf.Scalar;
    return [[...loss(x).dataSync()], [...tf.grad(loss)(x).dataSync()]];
  });
  // x * weights = [[4, -2], [2, 4]]; every row of the gradient is the row sums of the weights.
  if (value?.join() === "8" && gradient?.join() === "2,0,2,0") return;
  throw new Error(`it computes wrong: expected 8 and 2,0,2,0, got ${value} and ${gradient}`);
}

function unavailable(choice: BackendChoice, cause: unknown): ElenchusError {
  const mend = choice === "auto" ? MEND.wasm : MEND[choice];
  return new ElenchusError(
    "BACKEND_UNAVAILABLE",
    `The compute back end ${choice} cannot be used here: ${messageOf(cause)}. ${mend}, or set trainer.backend = "auto".`,
    { cause, details: { backend: choice } },
  );
}

/** True when the back end's own package is absent; one that lacks a part of itself is installed and broken. */
function isNotInstalled(name: BackendName, error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  const absent = code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND";
  return absent && messageOf(error).includes(`'@tensorflow/tfjs-${name}'`);
}
