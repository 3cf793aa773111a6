import { beforeAll, describe, expect, test } from "vitest";
import { silentLogger } from "../../src/base/index.js";
import { loadBackend, tf } from "../../src/compute/index.js";
import { createSharedMemory } from "../../src/compute/sharedMemory.js";

/** What the shared heap uses of the back end, open to be broken. */
interface Internals {
  wasm: Record<string, unknown> & { asm: object };
  dataIdMap: { get(id: object): { memoryOffset: number } };
  makeOutput: unknown;
  write(values: Float32Array, shape: number[], dtype: string): object;
  disposeData(id: object): boolean;
}

let real: Internals;

beforeAll(async () => {
  await loadBackend("wasm", { logger: silentLogger });
  real = tf.backend() as unknown as Internals;
});

/** A back end that differs from the real one in a part. */
function broken(part: Partial<Internals>): object {
  return Object.assign(Object.create(real), part);
}

describe("the shared heap is refused", () => {
  test("for anything that is no wasm back end", () => {
    expect(() => createSharedMemory(undefined)).toThrow(
      /backend\.wasm\.asm\.memory is not as version 4\.22\.0/,
    );
    expect(() => createSharedMemory({ wasm: {} })).toThrow(/asm\.memory/);
  });

  test.each(["_malloc", "_free"])("without %s", (name) => {
    const wasm = Object.assign(Object.create(real.wasm), { [name]: undefined });
    expect(() => createSharedMemory(broken({ wasm }))).toThrow(new RegExp(`backend\\.wasm\\.${name}`));
  });

  test("when the heap is another memory", () => {
    const wasm = Object.assign(Object.create(real.wasm), { HEAPU8: new Uint8Array(8) });
    expect(() => createSharedMemory(broken({ wasm }))).toThrow(/HEAPU8/);
  });

  test("without the map of tensors or a way to make one", () => {
    expect(() => createSharedMemory(broken({ dataIdMap: {} as never }))).toThrow(/dataIdMap/);
    expect(() => createSharedMemory(broken({ makeOutput: undefined }))).toThrow(/makeOutput/);
  });

  test.each([
    ["missing", () => undefined],
    ["no address", () => 0],
    ["another tensor's", (offset: number) => offset + 64],
  ])("when an offset is %s, without leaving a tensor behind", (_, change) => {
    const before = tf.engine().backend.numDataIds();
    const backend = broken({
      dataIdMap: { get: (id) => ({ memoryOffset: change(real.dataIdMap.get(id).memoryOffset) as number }) },
      write: real.write.bind(real),
      disposeData: real.disposeData.bind(real),
    });
    expect(() => createSharedMemory(backend)).toThrow(/memoryOffset/);
    expect(tf.engine().backend.numDataIds()).toBe(before);
  });
});

test("the real back end is taken", () => {
  expect(createSharedMemory(real).kernels.matMulScratch()).toBeGreaterThan(0);
});
