import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import type { PartitionTable } from "../../src/data/index.js";
import {
  confusionChart,
  differencesChart,
  isChartFile,
  lineChart,
  type Manifest,
  type PlottedRun,
  partitionChart,
  renderChart,
  runsChart,
  writeChart,
} from "../../src/results/index.js";
import { textWidth } from "../../src/results/plots/textWidth.js";
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

test("a panel without a point is left out", async () => {
  const panel = (name: string, points: { x: number; y: number }[]) => ({
    x: { name: "round" },
    y: { name },
    lines: points.length === 0 ? [] : [{ name: "FedPer", points }],
  });
  const panels = [panel("global", []), panel("personal", [{ x: 1, y: 0.5 }])];
  const shown = texts(await renderChart(lineChart({ title: "one of two", panels })));
  expect(shown).toContain("personal");
  expect(shown).not.toContain("global");
});

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

type Cell = number | string | null;
const column = (metric: string, higher: boolean | null, unit: string | null, evaluator: string | null) => ({
  metric,
  higher_is_better: higher,
  unit,
  evaluator,
});
function run(runId: string, rows: readonly Record<string, Cell>[], config: object = {}): PlottedRun {
  const columns = {
    round: column("round", null, null, null),
    elapsed_time: column("elapsed_time", null, "s", null),
    accuracy: column("accuracy", true, null, null),
    evaluation_primary_value: column("loss", false, "nats", "quiz"),
    evaluation_status: column("status", null, null, "quiz"),
    evaluation_loss: column("loss", false, "nats", "quiz"),
  };
  const table = { columns: Object.keys(rows[0]!), rows: rows.map((row) => new Map(Object.entries(row))) };
  return { runId, table, manifest: { columns, config, first_round: 1 } as unknown as Manifest };
}
const measured = (round: number, loss: number | null, status = "ok") => ({
  round,
  elapsed_time: 2.5 * round,
  accuracy: 0.1 * round,
  evaluation_primary_value: loss,
  evaluation_status: status,
  evaluation_loss: loss,
  evaluation_loss_ci_low: loss === null ? null : loss - 0.5,
  evaluation_loss_ci_high: loss === null ? null : loss + 0.5,
});
interface Drawn {
  option: {
    series: { type: string; name: string; data: unknown[] }[];
    xAxis: { min: number; max: number }[];
  };
}

describe("the chart of runs", () => {
  const config = {
    results: { plot: ["round-accuracy", "elapsed_time-accuracy"] },
    evaluation: { type: "quiz", confidence: 0.9 },
  };
  const first = run("first", [measured(1, 3), measured(2, null, "failed"), measured(3, 2)], config);
  const second = run("second", [measured(1, 2), measured(2, null, ""), measured(3, 1)], config);

  it("has the axes' names and units, the direction, a legend, and says what is shaded", async () => {
    const shown = texts(await renderChart(runsChart([first, second])));
    for (const text of ["2 runs", "first", "second", "round", "accuracy", "elapsed time (s)", "loss (nats)"])
      expect(shown, text).toContain(text);
    expect(shown.filter((text) => text === "↑ higher is better")).toHaveLength(2);
    expect(shown).toContain("↓ lower is better");
    expect(shown).toContain("shaded: 90 % interval");
  });

  it("breaks a line where an evaluator failed, not where it was not due", () => {
    const { option } = runsChart([first, second], "loss") as unknown as Drawn;
    const lines = option.series.filter(({ type }) => type === "line").map(({ data }) => data);
    expect(lines).toEqual([
      [
        [1, 3],
        [2, null],
        [3, 2],
      ],
      [
        [1, 2],
        [3, 1],
      ],
    ]);
    const bands = option.series.filter(({ type }) => type === "custom").map(({ data }) => data);
    expect(bands[1]).toEqual([
      [1, 1.5, 2.5],
      [3, 0.5, 1.5],
    ]);
  });

  it("begins and ends its axis at round steps", () => {
    const rounds = (list: number[]) =>
      (
        runsChart(
          [
            run(
              "r",
              list.map((round) => measured(round, 1)),
            ),
          ],
          "accuracy",
        ) as unknown as Drawn
      ).option.xAxis[0];
    expect(rounds([1, 20])).toMatchObject({ min: 0, max: 20, interval: 2 });
    expect(rounds([1])).toMatchObject({ min: 0, max: 1, interval: 1 });
    expect(rounds([900, 1000])).toMatchObject({ min: 900, max: 1000, interval: 10 });
    expect(rounds([1, 997])).toMatchObject({ min: 0, max: 1000, interval: 100 });
  });

  it("is the same text each time, also behind other charts", async () => {
    const text = await renderChart(runsChart([first, second]));
    await renderChart(partitionChart(table(2, 2)));
    expect(await renderChart(runsChart([first, second]))).toBe(text);
    expect(text).not.toMatch(/NaN|undefined/);
  });

  it("draws what stands alone as a bar, and names what there is where a metric is unknown", async () => {
    expect(await renderChart(runsChart([run("one", [measured(1, 3)])]))).toContain("<svg");
    expect(() => runsChart([first], "evaluation_los")).toThrow('Did you mean "evaluation_loss"?');
    expect(() => runsChart([first], "evaluation_status")).toThrow(
      expect.objectContaining({ code: "NAME_UNKNOWN" }),
    );
  });
});

describe("the chart of differences", () => {
  const one = (name: string, low: number | null, high: number | null, higherIsBetter: boolean | null) => ({
    name,
    difference: 0.1,
    low,
    high,
    higherIsBetter,
  });
  const panel = {
    heading: "A and B",
    axis: "B - A",
    differences: [
      one("up", 0.05, 0.15, true),
      one("down", 0.05, 0.15, false),
      one("across", -0.05, 0.25, true),
      one("untested", null, null, true),
      one("undeclared", 0.05, 0.15, null),
    ],
  };

  it("tells better from worse by the direction, and what may be chance from both", async () => {
    const chart = differencesChart("B?", "a note", [panel]);
    const { series } = (chart as unknown as { option: { series: { name: string; data: number[][] }[] } })
      .option;
    // The second number of a point is its line, from the top.
    expect(Object.fromEntries(series.map(({ name, data }) => [name, data.map(([, line]) => line)]))).toEqual({
      "B is better": [0],
      "B is worse": [1],
      "differs, no direction declared": [4],
      "may be chance": [2, 3],
    });
    const shown = texts(await renderChart(chart));
    for (const text of ["up  ↑", "down  ↓", "undeclared", "A and B", "B - A", "+0.1"])
      expect(shown).toContain(text);
  });
});

describe("the chart of a confusion matrix", () => {
  const matrix = { round: 3, evaluator: "quiz", counts: [[8, 2], [0, 30]], classNames: ["cat", "dog"] }; // biome-ignore format: rows

  it("has a cell for each pair of classes, shaded by its share of the row, with its count", async () => {
    const chart = confusionChart("Which", [{ heading: "r, round 3", matrix }]);
    const { series } = (chart as unknown as { option: { series: { data: { value: number[] }[] }[] } }).option;
    expect(series[0]!.data.map(({ value }) => value)).toEqual([
      [0, 0, 0.8, 8],
      [1, 0, 0.2, 2],
      [0, 1, 0, 0],
      [1, 1, 1, 30],
    ]);
    const shown = texts(await renderChart(chart));
    expect(shown).toContain("38 of 40 rows right (95 %)");
    for (const text of ["cat", "dog", "8", "30", "true class", "predicted class"])
      expect(shown).toContain(text);
    // An empty cell says nothing.
    expect(shown.filter((text) => text === "0")).toHaveLength(1);
  });

  it("stands beside others, of classes without names and without rows too", async () => {
    const bare = {
      round: 1,
      evaluator: "quiz",
      counts: Array.from({ length: 50 }, () => new Array(50).fill(0)),
    };
    const panels = [1, 2, 3].map((place) => ({ heading: String(place), matrix: bare }));
    expect(await renderChart(confusionChart("Which", panels))).not.toMatch(/NaN|undefined/);
  });
});

describe("the width of a text", () => {
  it("is the sum of its letters' advance widths", () => {
    // DejaVu Sans: i 0.278, W 0.989 of the size.
    expect(textWidth("iW", "10px DejaVu Sans")).toBeCloseTo(12.67, 10);
    expect(textWidth("i", "bold 100px DejaVu Sans")).toBeCloseTo(30.6912, 10);
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
