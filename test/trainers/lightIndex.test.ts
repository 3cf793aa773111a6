import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { nodeArguments } from "../../src/base/index.js";

test("naming trainers and making a host for a worker load no TensorFlow.js", () => {
  const url = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
  const program = `
    import { Module } from "node:module";
    import { createTrainerHost, trainers } from ${url("../../src/trainers/index.ts")};
    import { tinyConfig } from ${url("./fixtures/tinyConfig.ts")};
    const where = (name) => createTrainerHost({ config: tinyConfig(), imports: [], role: "server", where: name });
    const loaded = () => Object.keys(Module._cache).some((file) => file.includes("tfjs-core"));
    await where("worker");
    const before = loaded();
    await where("process");
    console.log(trainers.registeredNames().join(), before, loaded());
  `;
  const args = [...nodeArguments(), "--input-type=module", "--eval", program];
  const output = execFileSync(process.execPath, args, { encoding: "utf8" });

  expect(output.trim()).toBe("HuggingFace,basic,composable,gpt,nanochat false true");
});
