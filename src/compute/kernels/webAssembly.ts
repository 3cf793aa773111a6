/** The part of the WebAssembly interface that kernels use; Node's own types leave it out. */
interface WebAssemblyInterface {
  readonly Memory: new (descriptor: { initial: number }) => WasmMemory;
  /** Whether this engine understands a module. */
  validate(bytes: Uint8Array): boolean;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: Record<string, Record<string, unknown>>) => WasmInstance;
  readonly RuntimeError: new (message: string) => Error;
}

/** A linear memory. Its buffer is another one after it has grown. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  /** Adds pages of 64 KiB. */
  grow(pages: number): number;
}

interface WasmInstance {
  readonly exports: unknown;
}

export const wasm = (globalThis as unknown as { WebAssembly: WebAssemblyInterface }).WebAssembly;
