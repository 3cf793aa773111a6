import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { nodeArguments } from "../../src/base/index.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Prints the address of every module that node loads, then what keeps the process alive. */
const program = `
  import { register } from "node:module";
  const hooks = \`
    import { writeSync } from "node:fs";
    export async function load(url, context, next) {
      writeSync(1, "loaded " + url + "\\\\n");
      return next(url, context);
    }\`;
  register("data:text/javascript," + encodeURIComponent(hooks));
  const { registry } = await import("elenchus/evaluators");
  console.log("names", registry.registeredNames().join());
  console.log("running", JSON.stringify(process.getActiveResourcesInfo().filter((kind) => kind === "Timeout" || /Server|Socket|Process|Worker/.test(kind)).filter((kind) => !/Pipe|TTY/.test(kind))));
`;

it("importing the evaluators loads no TensorFlow.js and no server, and starts nothing", async () => {
  const args = [...nodeArguments(), "--input-type=module", "--eval", program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, timeout: 25_000 });
  const loaded = stdout.split("\n").filter((line) => line.startsWith("loaded "));
  expect(loaded.some((line) => line.includes("/evaluators/runConfiguredEvaluation."))).toBe(true);
  expect(
    loaded.filter((line) =>
      /tensorflow|socket\.io|huggingface|\/(compute|models|trainers|server|cli)\//.test(line),
    ),
  ).toEqual([]);
  expect(stdout).toContain(
    "names classification,evaluations,language_model,lighteval,mixeval,nanochat_core,regression,service,task\n",
  );
  expect(stdout).toContain("running []");
});
