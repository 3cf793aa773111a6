import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { nodeArguments } from "../../src/base/index.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "elenchus-copies-"));
  await mkdir(join(folder, "node_modules"));
  await symlink(root, join(folder, "node_modules", "elenchus"), "dir");
  // No `"type": "module"`: the user's module is loaded as CommonJS, and this package a second time for it.
  await writeFile(join(folder, "package.json"), "{}");
  await writeFile(
    join(folder, "mine.ts"),
    `import { EvaluationResult, EvaluationSkipped, Evaluator, recordedOutcomes, registry } from "elenchus/evaluators";
     class Mine extends Evaluator {
       static metrics = { a: { higherIsBetter: true } };
       evaluate({ localMetric }) {
         if (localMetric === 0) throw new EvaluationSkipped("zero");
         return new EvaluationResult({ evaluator: "mine", primaryMetric: "a", metrics: { a: 1 }, details: { d: 2 } });
       }
     }
     registry.register("mine", Mine);
     Object.assign(globalThis, { theirs: Evaluator, recordedOutcomes });`,
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it("takes evaluators, results and signals of another copy of the package", async () => {
  const program = `
    import { Evaluator, runConfiguredEvaluation, TrainingContext } from "elenchus/evaluators";
    await import(${JSON.stringify(pathToFileURL(join(folder, "mine.ts")).href)});
    const context = new TrainingContext();
    const config = { evaluation: { type: "mine", target: 1, fail_on_error: true } };
    const result = await runConfiguredEvaluation({ context, config, localMetric: 1 });
    const [{ details }] = globalThis.recordedOutcomes(context.state);
    await runConfiguredEvaluation({ context, config, localMetric: 0 });
    const { status } = context.state.get("evaluation_status").mine;
    console.log(JSON.stringify({ copies: globalThis.theirs !== Evaluator, value: result.primaryValue, status, details }));`;
  const args = [...nodeArguments(), "--input-type=module", "--eval", program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, timeout: 25_000 });
  expect(JSON.parse(stdout)).toEqual({ copies: true, value: 1, status: "skipped", details: { d: 2 } });
});
