import { readFileSync } from "node:fs";
import { ElenchusError, messageOf } from "../../base/index.js";
import { type WasmMemory, wasm } from "./webAssembly.js";

const compiled = new Map<string, object>();

/**
 * An instance of a kernel module on the given memory. A module is compiled once per process.
 * @param name file name in `generated/` without extension
 * @throws INTERNAL when the module was not built or does not fit this Node
 */
export function instantiateKernel<Exports>(name: string, memory: WasmMemory): Exports {
  const file = new URL(`./generated/${name}.wasm`, import.meta.url);
  try {
    let module = compiled.get(name);
    if (!module) {
      module = new wasm.Module(readFileSync(file));
      compiled.set(name, module);
    }
    const abort = () => {
      throw new wasm.RuntimeError(`kernel ${name} aborted`);
    };
    return new wasm.Instance(module, { env: { memory, abort } }).exports as Exports;
  } catch (error) {
    throw new ElenchusError(
      "INTERNAL",
      `The compute kernel ${name} cannot be loaded from ${file.pathname}: ${messageOf(error)}. Build it with: npm run build`,
      { cause: error },
    );
  }
}
