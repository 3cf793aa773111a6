// Builds the package: SIMD kernels (AssemblyScript to WebAssembly), TypeScript to dist/, then the page.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildPage } from "./buildPage.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const bin = (name) => join(root, "node_modules", ".bin", name);
const kernels = join(root, "src", "compute", "kernels");
const assembly = join(kernels, "assembly");
const generated = join(kernels, "generated");

mkdirSync(generated, { recursive: true });
if (existsSync(assembly)) {
  for (const file of readdirSync(assembly).filter((name) => name.endsWith(".asc.ts"))) {
    compile(file, "", ["simd"]);
  }
  // Multiplying and adding in one go needs instructions that not every Node has.
  compile("tensor.asc.ts", ".relaxed", ["simd", "relaxed-simd"]);
}

rmSync(join(root, "dist"), { recursive: true, force: true });
cpSync(generated, join(root, "dist", "compute", "kernels", "generated"), { recursive: true });
execFileSync(bin("tsc"), ["-p", join(root, "tsconfig.build.json")], { stdio: "inherit", cwd: root });

// The page is checked apart: it lives in a browser, where there is no Node.
execFileSync(bin("tsc"), ["-p", join(root, "src", "page")], { stdio: "inherit", cwd: root });
await buildPage();

function compile(file, suffix, features) {
  const out = join(generated, file.replace(".asc.ts", `${suffix}.wasm`));
  const enabled = features.flatMap((feature) => ["--enable", feature]);
  execFileSync(
    bin("asc"),
    [
      join(assembly, file),
      "--outFile",
      out,
      "-O3",
      "--runtime",
      "stub",
      "--importMemory",
      "--noAssert",
      ...enabled,
    ],
    { stdio: "inherit", cwd: root },
  );
}
