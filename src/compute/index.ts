// Loads TensorFlow.js. A process that only aggregates imports `kernels/index.js` instead.
export {
  BACKEND_NAMES,
  type Backend,
  type BackendChoice,
  type BackendName,
  type KernelMode,
  type LoadBackendOptions,
  type PackageImporter,
} from "./backend.js";
export type { Arithmetic } from "./kernels/tensorKernels.js";
export { loadBackend } from "./loadBackend.js";
export { tf } from "./tensorflow.js";
export { tensorValues } from "./tensorValues.js";
