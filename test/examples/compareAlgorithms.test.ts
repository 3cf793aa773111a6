import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { deviationOf, meanOf, table } from "../../examples/compare-algorithms/statistics.js";
import { algorithmCatalog } from "../../src/algorithms/index.js";
import { buildCatalog } from "../../src/cli/catalog.js";
import { type Config, checkConfig } from "../../src/config/index.js";
import { rowsOf } from "../support/records.js";
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
    const [{ name, seeds, global, personal }] = algorithms;
    expect([name, seeds, global.rounds.length]).toEqual(["cautious", [1, 2], 4]);
    const columns = (seed: number) =>
      rowsOf(join(base, "results", `cautious-seed${seed}.csv`)).map((row) => [
        Number(row.accuracy),
        Number(row.evaluation_clients_accuracy),
      ]);
    const [one, two] = [columns(1), columns(2)];
    expect(global.last.values).toEqual([one[3]![0], two[3]![0]]);
    expect(global.last.mean).toBeCloseTo((one[3]![0]! + two[3]![0]!) / 2, 12);
    // Of two numbers the deviation is their distance over the root of 2.
    expect(global.last.deviation).toBeCloseTo(Math.abs(one[3]![0]! - two[3]![0]!) / Math.SQRT2, 12);
    const mean = (place: number) => one.reduce((sum, row) => sum + row[place]! / 4, 0);
    expect(global.settled.values[0]).toBeCloseTo(mean(0), 12);
    expect(personal.settled.values[0]).toBeCloseTo(mean(1), 12);
    expect(global.rounds[2].mean).toBeCloseTo((one[2]![0]! + two[2]![0]!) / 2, 12);
    const shown = `${global.last.mean.toFixed(4)} ± ${global.last.deviation.toFixed(4)}`;
    expect(stdout).toContain(`| cautious (own) | ${shown}`);
    const drawn = readFileSync(join(base, "comparison.svg"), "utf8");
    for (const text of ["cautious (own)", "accuracy, global model", "accuracy, clients after training"]) {
      expect(drawn).toContain(text);
    }
    expect(readFileSync(join(base, "comparison.png")).subarray(1, 4).toString()).toBe("PNG");
  });

  it("says which algorithms there are for a name that is none", { timeout: 120_000 }, async () => {
    const words = ["--quick", "--only", "fedavg,fedprx"];
    const ended = runProgram("examples/compare-algorithms/compare.ts", { cwd: folder, arguments: words });
    await expect(ended).rejects.toThrow(/no fedprx here\. There are fedavg, fedprox, .*fedbn/);
  });

  it("gives all algorithms the same data, model and budget", async () => {
    await import("../../examples/compare-algorithms/cautious.js");
    const folder = join(import.meta.dirname, "../../examples/compare-algorithms");
    const names = readdirSync(folder).filter((file) => file.endsWith(".toml") && file !== "base.toml");
    const of = new Map(
      names.map((file) => {
        const { config, warnings } = checkConfig({ path: join(folder, file) }, buildCatalog());
        expect(warnings).toEqual([]);
        return [file.replace(".toml", ""), config!] as const;
      }),
    );
    const shared = ({ algorithm: _, server, parameters, ...rest }: Config) => {
      const { diloco: __, ...others } = server as Config["server"] & { diloco?: unknown };
      return { ...rest, server: others, parameters };
    };
    const { parameters, ...fedavg } = shared(of.get("fedavg")!);
    for (const [name, config] of of) {
      const { parameters: own, ...others } = shared(config);
      expect(others).toEqual(fedavg);
      const rate = name === "scaffold" ? 0.02 : 0.05;
      const model = { ...parameters.model, batch_norm: ["fedbn", "fedavg-norm"].includes(name) };
      const optimizer = { ...parameters.optimizer, lr: rate };
      expect([name, own]).toEqual([name, { ...parameters, model, optimizer }]);
    }
    // Every algorithm that there is, but for the one of adapters.
    const compared = new Set([...of.values()].map(({ algorithm }) => algorithm.type));
    expect(
      algorithmCatalog()
        .filter(({ name }) => !compared.has(name))
        .map(({ name }) => name),
    ).toEqual(["fedavg_lora"]);
  });

  it("counts as statistics has it", () => {
    expect(meanOf([1, 2, 6])).toBe(3);
    // Squares 4, 1, 9 over 2.
    expect(deviationOf([1, 2, 6])).toBeCloseTo(Math.sqrt(7), 12);
    expect(deviationOf([5])).toBeNull();
    expect(table(["a", "long"], [["1234", "5"]])).toBe("| a    | long |\n|------|------|\n| 1234 | 5    |");
  });
});
