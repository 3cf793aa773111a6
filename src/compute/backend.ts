import type { Logger } from "../base/index.js";
import type { Arithmetic } from "./kernels/tensorKernels.js";
import type { tf } from "./tensorflow.js";

/** The back ends, best first. */
export const BACKEND_NAMES = ["node-gpu", "node", "wasm", "cpu"] as const;
export type BackendName = (typeof BACKEND_NAMES)[number];

/** What `trainer.backend` may say. */
export type BackendChoice = "auto" | BackendName;

/**
 * How the repaired kernels reach tensors: on the back end's own heap, through copies because its heap is not as
 * expected, or not at all because the back end needs no repair.
 */
export type KernelMode = "shared" | "copied" | "none";

/** The back end that TensorFlow.js now works on. There is one per process. */
export interface Backend {
  readonly name: BackendName;
  readonly requested: BackendChoice;
  /** Version of TensorFlow.js. */
  readonly version: string;
  readonly kernels: KernelMode;
  /** How repaired kernels multiply and add; undefined where there are none. Runs that differ in it differ in last bits. */
  readonly arithmetic: Arithmetic | undefined;
  readonly tf: typeof tf;
}

/** Loads a package by name; tests put doubles in the place of packages. */
export type PackageImporter = (name: string) => Promise<unknown>;

export interface LoadBackendOptions {
  /** Hears which back end failed and why, as a warning, and which one was taken. */
  readonly logger: Logger;
  /** `import()` by default. */
  readonly importer?: PackageImporter;
}
