import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { deviationOf, meanOf, table } from "../../examples/compare-algorithms/statistics.js";
import { buildCatalog } from "../../src/cli/catalog.js";
import { checkConfig } from "../../src/config/index.js";
import { temporaryFolder } from "../support/temporaryFolder.js";
import { runProgram } from "./programs.js";

const folder = temporaryFolder("compare");

describe("examples/compare-algorithms", () => {
  it("ends in a table, a picture and numbers, over the seeds", { timeout: 240_000 }, async () => {
    const { stdout } = await runProgram("examples/compare-algorithms/compare.ts", {
      cwd: folder,
      arguments: ["--quick", "--only", "cautious", "--seeds", "1,2"],
      seconds: 220,
    });
    const base = join(folder, "runtime/compare-algorithms/quick");
    const { data, algorithms } = JSON.parse(readFileSync(join(base, "comparison.json"), "utf8"));
    expect([data, algorithms.length]).toEqual(["digits", 1]);
    const [{ name, seeds, last, settled, rounds }] = algorithms;
    expect([name, seeds, rounds.length]).toEqual(["cautious", [1, 2], 4]);
    const [one, two] = [1, 2].map((seed) =>
      readFileSync(join(base, "results", `cautious-seed${seed}.csv`), "utf8")
        .trim()
        .split("\n")
        .slice(1)
        .map((row) => Number(row.split(",")[1])),
    );
    expect(last.values).toEqual([one![3], two![3]]);
    expect(last.mean).toBeCloseTo((one![3]! + two![3]!) / 2, 12);
    // Of two numbers the deviation is their distance over the root of 2.
    expect(last.deviation).toBeCloseTo(Math.abs(one![3]! - two![3]!) / Math.SQRT2, 12);
    expect(settled.values[0]).toBeCloseTo((one![0]! + one![1]! + one![2]! + one![3]!) / 4, 12);
    expect(rounds[2].mean).toBeCloseTo((one![2]! + two![2]!) / 2, 12);
    expect(stdout).toContain(`| cautious (own) | ${last.mean.toFixed(4)} ± ${last.deviation.toFixed(4)}`);
    expect(readFileSync(join(base, "comparison.svg"), "utf8")).toContain("cautious (own)");
    expect(readFileSync(join(base, "comparison.png")).subarray(1, 4).toString()).toBe("PNG");
  });

  it("gives all algorithms the same data, model and budget", async () => {
    await import("../../examples/compare-algorithms/cautious.js");
    const [first, ...others] = ["fedavg", "fedprox", "scaffold", "fedadam", "cautious"].map((name) => {
      const path = join(import.meta.dirname, `../../examples/compare-algorithms/${name}.toml`);
      const { config, warnings } = checkConfig({ path }, buildCatalog());
      expect(warnings).toEqual([]);
      const { algorithm, ...rest } = config!;
      expect(algorithm.type).toBe(name);
      return rest;
    });
    for (const other of others) expect(other).toEqual(first);
  });

  it("counts as statistics has it", () => {
    expect(meanOf([1, 2, 6])).toBe(3);
    // Squares 4, 1, 9 over 2.
    expect(deviationOf([1, 2, 6])).toBeCloseTo(Math.sqrt(7), 12);
    expect(deviationOf([5])).toBeNull();
    expect(table(["a", "long"], [["1234", "5"]])).toBe("| a    | long |\n|------|------|\n| 1234 | 5    |");
  });
});
