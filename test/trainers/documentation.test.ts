import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { TINY_WORLD, tinyConfig } from "./fixtures/tinyConfig.js";
import { tinyHost, unstopped } from "./fixtures/tinyHost.js";

test("the trainer of docs/trainers.md works as it stands there", async () => {
  const page = readFileSync(new URL("../../docs/trainers.md", import.meta.url), "utf8");
  const example = /```ts\n(.*?)```/s.exec(page)![1]!;
  // Inside the package, so that it finds "elenchus" as a user's module does.
  const folder = mkdtempSync(join(import.meta.dirname, "fixtures", "page-"));
  writeFileSync(join(folder, "example.ts"), example);
  try {
    const { host } = await tinyHost(tinyConfig({ trainer: { type: "brier" } }), "worker", {
      imports: [TINY_WORLD, join(folder, "example.ts")],
    });
    const task = { round: 1, clientId: 1, test: false };
    const weights = await host.initialWeights();
    const first = await host.train({ ...task, weights, state: new Map() }, unstopped);
    const second = await host.train({ ...task, weights, state: first.state }, unstopped);
    await host.close();

    expect(first.trainLoss).toBeGreaterThan(0);
    expect(first.state.get("worst_loss")).toBeGreaterThanOrEqual(first.trainLoss!);
    expect(second.state.get("worst_loss")).toBe(first.state.get("worst_loss"));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
