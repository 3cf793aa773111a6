import { expect, test } from "vitest";
import { instantiateKernel } from "../../src/compute/kernels/kernelModule.js";
import { wasm } from "../../src/compute/kernels/webAssembly.js";

test("a kernel that was not built is an error that says how to build it", () => {
  expect(() => instantiateKernel("absent", new wasm.Memory({ initial: 1 }))).toThrowError(
    expect.objectContaining({ code: "INTERNAL", message: expect.stringContaining("npm run build") }),
  );
});
