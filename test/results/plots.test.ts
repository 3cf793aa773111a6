import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { PartitionTable } from "../../src/data/index.js";
import { isChartFile, partitionChart, renderChart, writeChart } from "../../src/results/index.js";
import { temporaryFolder } from "../support/temporaryFolder.js";

const folder = temporaryFolder("plots");

function table(clients: number, classes: number, names?: string[]): PartitionTable {
  return {
    sampler: "noniid",
    rows: 12_345,
    held: 1_234,
    disjoint: true,
    ...(names && { class_names: names }),
    clients: Array.from({ length: clients }, (_, index) => ({
      client: index + 1,
      samples: index + 1,
      classes:
        classes === 0 ? null : Array.from({ length: classes }, (_, label) => (label === 0 ? index + 1 : 0)),
    })),
  };
}
const texts = (svg: string) => [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text);

describe("the chart of partitions", () => {
  it("says what it shows, in which unit, and which colour is which class", async () => {
    const shown = texts(await renderChart(partitionChart(table(3, 2, ["cats & dogs", "birds"]))));
    for (const text of [
      "noniid: 3 clients",
      "1,234 of 12,345 training rows are held; no row is held twice",
    ]) {
      expect(shown).toContain(text);
    }
    for (const text of ["client", "rows", "1", "2", "3", "cats &amp; dogs", "birds"])
      expect(shown).toContain(text);
  });

  it("shows many clients by their size, the largest first", () => {
    const { option } = partitionChart(table(100, 2)) as unknown as {
      option: { series: { data: number[] }[] };
    };
    expect(option.series[0]!.data.slice(0, 3)).toEqual([100, 99, 98]);
  });

  it("is a map where classes are too many for colours", async () => {
    const { option } = partitionChart(table(4, 47)) as unknown as {
      option: { series: { type: string; data: number[][] }[] };
    };
    expect(option.series[0]!.type).toBe("heatmap");
    expect(option.series[0]!.data).toEqual([
      [0, 0, 1],
      [0, 1, 2],
      [0, 2, 3],
      [0, 3, 4],
    ]);
    expect(texts(await renderChart(partitionChart(table(4, 47))))).toContain("4 rows");
  });

  it("shows rows alone where there are no classes, and nobody's where there are no clients", async () => {
    expect(texts(await renderChart(partitionChart(table(2, 0))))).toContain("rows");
    expect(await renderChart(partitionChart(table(0, 0)))).toContain("<svg");
  });
});

describe("a chart's file", () => {
  it("is SVG or PNG by its name, and the same each time", async () => {
    const chart = partitionChart(table(2, 2));
    for (const name of ["a.svg", "deep/er/b.PNG"]) await writeChart(join(folder, name), chart);
    const svg = readFileSync(join(folder, "a.svg"), "utf8");
    expect(svg).toMatch(/^<svg /);
    expect(svg).toBe(await renderChart(chart));
    const png = readFileSync(join(folder, "deep/er/b.PNG"));
    expect(png.subarray(1, 4).toString()).toBe("PNG");
    // Width and height of the header: twice those of the chart.
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([2 * chart.width, 2 * chart.height]);
  });

  it("is refused under another name, or where it cannot be written", async () => {
    expect(["a.svg", "b.png", "c.pdf", "svg"].map(isChartFile)).toEqual([true, true, false, false]);
    await expect(writeChart("a.pdf", partitionChart(table(1, 1)))).rejects.toMatchObject({ code: "USAGE" });
    await expect(writeChart("/proc/nowhere/a.svg", partitionChart(table(1, 1)))).rejects.toMatchObject({
      code: "PATH_UNWRITABLE",
    });
  });
});
