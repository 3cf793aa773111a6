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
  const abort = () => {
    throw new wasm.RuntimeError(`kernel ${name} aborted`);
  };
  return loading(name, () => {
    let module = compiled.get(name);
    if (!module) {
      module = new wasm.Module(bytesOf(name));
      compiled.set(name, module);
    }
    return new wasm.Instance(module, { env: { memory, abort } }).exports as Exports;
  });
}

/**
 * Whether this Node understands the instructions of a kernel module.
 * @throws INTERNAL when the module was not built
 */
export function isUnderstood(name: string): boolean {
  return loading(name, () => wasm.validate(bytesOf(name)));
}

function bytesOf(name: string): Uint8Array {
  const file = fileOf(name);
  return readFileSync(file);
}

function fileOf(name: string): URL {
  return new URL(`./generated/${name}.wasm`, import.meta.url);
}

function loading<Result>(name: string, load: () => Result): Result {
  try {
    return load();
  } catch (error) {
    throw new ElenchusError(
      "INTERNAL",
      `The compute kernel ${name} cannot be loaded from ${fileOf(name).pathname}: ${messageOf(error)}. Build it with: npm run build`,
      { cause: error },
    );
  }
}
