import { type Logger, messageOf } from "../base/index.js";
import { activate } from "./activate.js";
import type { KernelMode, PackageImporter } from "./backend.js";
import { createCopiedMemory } from "./copiedMemory.js";
import { installFusedKernels } from "./fused/installFusedKernels.js";
import { installRepairs } from "./repairs/index.js";
import { createSharedMemory } from "./sharedMemory.js";
import { tf } from "./tensorflow.js";
import type { TensorMemory } from "./tensorMemory.js";

/** The version whose internals the shared heap relies on. */
const PINNED = "4.22.0";

/** Back ends that are repaired already: a second load finds the first one's. */
const repaired = new WeakMap<object, KernelMode>();

/**
 * Starts the wasm back end and repairs it. Where its internals are not as expected, own kernels work on copies
 * and a warning says so.
 * @throws Error when it does not start or own kernels cannot be loaded
 */
export async function loadWasm(importer: PackageImporter, logger: Logger): Promise<KernelMode> {
  const module = (await importer("@tensorflow/tfjs-backend-wasm")) as { version_wasm?: unknown };
  await withoutListeners(() => activate("wasm"));

  const backend = tf.backend() as Parameters<typeof installRepairs>[1] &
    Parameters<typeof createCopiedMemory>[0];
  const before = repaired.get(backend);
  if (before) return before;

  let memory: TensorMemory;
  let mode: KernelMode = "shared";
  try {
    requirePinned(module.version_wasm, tf.version_core);
    const heap = createSharedMemory(backend);
    installFusedKernels("wasm", heap);
    memory = heap;
  } catch (error) {
    logger.warn(
      `The wasm back end's heap cannot be shared: ${messageOf(error)}. Own kernels work on copies, which is slower. Reinstall with: npm ci`,
    );
    memory = createCopiedMemory(backend);
    mode = "copied";
  }
  installRepairs("wasm", backend, memory);
  repaired.set(backend, mode);
  return mode;
}

function requirePinned(...versions: unknown[]): void {
  for (const version of versions) {
    if (version !== PINNED) throw new Error(`its version is ${String(version)}, expected ${PINNED}`);
  }
}

const EVENTS = ["uncaughtException", "unhandledRejection"] as const;
/** What the two listeners of the package say; no other new one is touched. */
const FOREIGN = /ExitStatus|\bthrow reason\b/;

/**
 * The package installs process-wide listeners that rethrow, so that an application's own handlers never run.
 * Those that appear while it starts are taken off again.
 */
async function withoutListeners(start: () => Promise<void>): Promise<void> {
  const before = new Set(EVENTS.flatMap((event) => process.listeners(event as "uncaughtException")));
  try {
    await start();
  } finally {
    for (const event of EVENTS) {
      for (const listener of process.listeners(event as "uncaughtException")) {
        if (!before.has(listener) && FOREIGN.test(String(listener))) process.off(event, listener);
      }
    }
  }
}
