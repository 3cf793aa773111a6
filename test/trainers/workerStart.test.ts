import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { TINY_WORLD, tinyConfig } from "./fixtures/tinyConfig.js";
import { tinyHost } from "./fixtures/tinyHost.js";

const folder = mkdtempSync(join(tmpdir(), "elenchus-imports-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A user's module with that text. */
function userModule(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

test("a worker that cannot load a user's module says which and why", async () => {
  const imports = [userModule("faulty.mjs", 'throw new Error("faulty from the first line");')];
  const { host } = await tinyHost(tinyConfig(), "worker", { imports });

  await expect(host.describe()).rejects.toMatchObject({
    code: "IMPORT_FAILED",
    message: expect.stringMatching(/faulty\.mjs.*faulty from the first line/),
  });
  await host.close();
});

test("a worker that ends while it loads says with what", async () => {
  const imports = [userModule("leaves.mjs", 'console.log("gone already"); process.exit(5);')];
  const { host } = await tinyHost(tinyConfig(), "worker", { imports });

  await expect(host.describe()).rejects.toMatchObject({
    code: "WORKER_DIED",
    details: {
      ...{ exit_code: 5, signal: null, lines: ["gone already"] },
      told: expect.stringMatching(/^The worker .+ ended with exit code 5; the log has its last lines\.$/),
    },
  });
  await host.close();
});

test("a worker that does not get ready is ended at the deadline", async () => {
  const imports = [userModule("forever.mjs", "for (;;);")];
  const { host } = await tinyHost(tinyConfig(), "worker", { imports, deadlines: { start: 1.5 } });

  await expect(host.initialWeights()).rejects.toMatchObject({ code: "WORKER_TIMEOUT" });
  await host.close();
});

test("a module counts as loaded once it calls run(), and what it prints is logged", async () => {
  const program = new URL("../../src/base/index.ts", import.meta.url).href;
  const imports = [
    TINY_WORLD,
    userModule(
      "program.mjs",
      `import { isWorker, runInWorker } from ${JSON.stringify(program)};
       console.log("worker:", isWorker());
       await runInWorker();
       throw new Error("run() settled");`,
    ),
  ];
  const { host, log } = await tinyHost(tinyConfig({ evaluation: { type: "counting" } }), "worker", {
    imports,
  });
  const description = await host.describe();
  await host.close();

  expect(description.evaluators).toContain("counting");
  expect(log).toContainEqual({ level: "info", line: "[server worker] worker: true" });
});
