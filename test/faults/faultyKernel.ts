import { readFileSync } from "node:fs";
import { join } from "node:path";
import asc from "assemblyscript/asc";
import { type Fault, faultyFile, ROOT, withFault } from "./fault.js";

const ASSEMBLY = "src/compute/kernels/assembly";

/** The fault of a kernel's source as one of the module that loads kernels: it gets a kernel built with the fault. */
export async function throughKernel(fault: Fault): Promise<Fault> {
  const kernel = fault.file.endsWith("aggregate.asc.ts") ? "aggregate" : "tensor";
  // Both builds of the tensor kernels come from the same source; the plain one does for both.
  const built = await build(kernel, (file) => {
    const text = readFileSync(file, "utf8");
    return file === faultyFile(fault) ? withFault(text, fault) : text;
  });
  return {
    ...fault,
    file: "compute/kernels/kernelModule.ts",
    from: "readFileSync(file)",
    to: `(name.startsWith("${kernel}") ? Buffer.from("${built.toString("base64")}", "base64") : readFileSync(file))`,
  };
}

/** Builds a kernel as `scripts/build.mjs` does, from sources that the caller reads. */
async function build(kernel: string, read: (file: string) => string): Promise<Buffer> {
  let built: Buffer | undefined;
  const { error, stderr } = await asc.main(
    [
      ...[`${ASSEMBLY}/${kernel}.asc.ts`, "--outFile", `${kernel}.wasm`, "--baseDir", ROOT],
      ...["-O3", "--runtime", "stub", "--importMemory", "--enable", "simd", "--noAssert"],
    ],
    {
      readFile(name, folder) {
        try {
          return read(join(folder, name));
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
          throw error;
        }
      },
      writeFile(_name, content) {
        built = Buffer.from(content);
      },
      listFiles: () => [],
    },
  );
  if (error !== null || built === undefined) throw new Error(`The kernel cannot be built: ${stderr}`);
  return built;
}
