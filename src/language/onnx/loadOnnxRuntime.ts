import { ElenchusError, messageOf } from "../../base/index.js";
import type { OnnxRuntime } from "./onnxRuntime.js";

/** Loads a package by name; tests put doubles in the place of packages. */
export type PackageImporter = (name: string) => Promise<unknown>;

const PACKAGE = "onnxruntime-node";
const VERSION = "1.30.0";

/** How the package is installed: without the setting its install script fetches CUDA libraries. */
export const INSTALL_LINE = `npm install ${PACKAGE}@${VERSION} --onnxruntime-node-install=skip`;

/**
 * Loads onnxruntime, which is optional.
 * @throws BACKEND_UNAVAILABLE when the package is absent or does not load here
 */
export async function loadOnnxRuntime(
  importer: PackageImporter = (name) => import(name),
): Promise<OnnxRuntime> {
  try {
    const loaded = (await importer(PACKAGE)) as Partial<OnnxRuntime> & { default?: Partial<OnnxRuntime> };
    const runtime = loaded.InferenceSession ? loaded : loaded.default;
    if (isRuntime(runtime)) return runtime;
    throw new Error("it has no InferenceSession and Tensor");
  } catch (error) {
    throw new ElenchusError(
      "BACKEND_UNAVAILABLE",
      `onnxruntime cannot be used here: ${messageOf(error)}. Install it with: ${INSTALL_LINE}, or set trainer.language_engine = "auto".`,
      { cause: error, details: { package: PACKAGE } },
    );
  }
}

function isRuntime(loaded: Partial<OnnxRuntime> | undefined): loaded is OnnxRuntime {
  return typeof loaded?.InferenceSession?.create === "function" && typeof loaded.Tensor === "function";
}
