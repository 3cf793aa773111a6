import "../support/cpuTensors.js";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { algorithmCatalog } from "../../src/algorithms/index.js";
import { LineFederation, lineClient } from "./support/lines.js";

const page = readFileSync(new URL("../../docs/algorithms.md", import.meta.url), "utf8");

describe("docs/algorithms.md", () => {
  it("has every algorithm with every key of its own", () => {
    for (const { name, options, otherKeys } of algorithmCatalog().filter(({ name }) => name !== "signs")) {
      const row = page.split("\n").find((line) => line.startsWith(`| \`${name}\` |`));
      expect(row, name).toBeDefined();
      const shape = (options as { shape?: object } | undefined)?.shape ?? {};
      const same = row!.includes("as `fedadam`") ? [] : Object.keys(shape);
      for (const key of same) expect(row, `${name} ${key}`).toContain(`\`${key}\``);
      for (const [section, keys] of Object.entries(otherKeys ?? {})) {
        for (const key of Object.keys(keys)) expect(row).toContain(`${section}.${key}`);
      }
    }
  });

  it("has an algorithm of one's own that works as it stands there", async () => {
    const example = /```ts\n(.*?)```/s.exec(page)![1]!;
    // Inside the package, so that it finds "elenchus" as a user's module does.
    const folder = mkdtempSync(join(import.meta.dirname, "support", "page-"));
    writeFileSync(join(folder, "example.ts"), example);
    try {
      await import(join(folder, "example.ts"));
      const federation = await LineFederation.start({ algorithm: { type: "signs", step: 0.25 } }, [
        lineClient(1),
      ]);
      await federation.rounds(2);
      expect(federation.w).toBe(0.5);
      expect(federation.clientStates.get(1)!.get("updates")).toBe(2);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
