import { FAINT, QUIET } from "./colours.js";
import type { Chart } from "./renderChart.js";
import { textWidth } from "./textWidth.js";

/** What one metric came to in B beside A. */
export interface PlottedDifference {
  /** What is compared, for example a task and its metric. */
  readonly name: string;
  readonly difference: number;
  /** Bounds of the interval; null where nothing tells chance from more. */
  readonly low: number | null;
  readonly high: number | null;
  readonly higherIsBetter: boolean | null;
}

/** One comparison: its heading, and a line for each metric. */
export interface DifferencePanel {
  readonly heading: string;
  /** What the axis measures, for example `B - A`. */
  readonly axis: string;
  readonly differences: readonly PlottedDifference[];
}

/** Draws differences with their intervals around zero; colours and words say where B is better, worse or unclear. */
export function differencesChart(title: string, note: string, panels: readonly DifferencePanel[]): Chart {
  const names = panels.flatMap(({ differences }) => differences.map(({ name }) => name));
  const left = Math.min(64 + Math.max(...names.map((name) => textWidth(name, "12px")), 40), 420);
  let top = 112;
  const grids = panels.map(({ differences }) => {
    const grid = { left, right: 130, top: top + 34, height: LINE * differences.length };
    top += 34 + grid.height + 76;
    return grid;
  });
  return {
    width: WIDTH,
    height: top,
    option: {
      title: [
        { text: title, subtext: note, left: "center", top: 8, itemGap: 6, subtextStyle: { color: QUIET } },
        ...panels.map(({ heading }, place) => ({
          text: heading,
          left: left + (WIDTH - left - 130) / 2,
          top: grids[place]!.top - 32,
          textAlign: "center",
          textStyle: { fontSize: 14 },
        })),
      ],
      legend: {
        data: Object.values(VERDICTS).map(({ name }) => name),
        top: 62,
        itemGap: 24,
        itemWidth: 12,
        itemHeight: 12,
        icon: "circle",
      },
      grid: grids,
      xAxis: panels.map(({ axis }, gridIndex) => ({
        type: "value",
        gridIndex,
        name: axis,
        nameLocation: "middle",
        nameGap: 30,
        nameTextStyle: { color: "#30363d", fontSize: 13 },
        axisLabel: { color: QUIET, hideOverlap: true },
        splitLine: { lineStyle: { color: FAINT } },
      })),
      yAxis: panels.map(({ differences }, gridIndex) => ({
        type: "category",
        gridIndex,
        inverse: true,
        data: differences.map(({ name, higherIsBetter }) => `${name}${arrow(higherIsBetter)}`),
        axisLabel: { color: "#30363d", width: left - 20, overflow: "truncate", interval: 0 },
        axisTick: { show: false },
        axisLine: { onZero: false, show: false },
      })),
      series: panels.flatMap(({ differences }, panel) =>
        Object.keys(VERDICTS).map((verdict) => points(differences, panel, verdict as Verdict)),
      ),
    },
  };
}

const WIDTH = 1000;
const LINE = 30;

type Verdict = keyof typeof VERDICTS;

/** Apart for colour-blind eyes too; the filled dot is tested, the ring is not. */
const VERDICTS = {
  better: { name: "B is better", colour: "#1b7f5c" },
  worse: { name: "B is worse", colour: "#c8452f" },
  apart: { name: "differs, no direction declared", colour: "#4e79a7" },
  unclear: { name: "may be chance", colour: "#8a939c" },
} as const;

function verdictOf({ low, high, higherIsBetter }: PlottedDifference): Verdict {
  if (low === null || high === null || (low <= 0 && high >= 0)) return "unclear";
  if (higherIsBetter === null) return "apart";
  return low > 0 === higherIsBetter ? "better" : "worse";
}

function arrow(higherIsBetter: boolean | null): string {
  if (higherIsBetter === null) return "";
  return higherIsBetter ? "  ↑" : "  ↓";
}

function points(differences: readonly PlottedDifference[], panel: number, verdict: Verdict) {
  const own = differences.flatMap((one, place) => (verdictOf(one) === verdict ? [{ ...one, place }] : []));
  const { name, colour } = VERDICTS[verdict];
  return {
    type: "custom",
    name,
    xAxisIndex: panel,
    yAxisIndex: panel,
    color: colour,
    silent: true,
    data: own.map(({ difference, place, low, high }) => [
      difference,
      place,
      low ?? difference,
      high ?? difference,
    ]),
    // Zero belongs into the picture: it is what differences are read against.
    encode: { x: [0, 2, 3], y: 1 },
    renderItem: (at: { dataIndex: number }, { coord }: { coord(point: readonly number[]): number[] }) => {
      const { difference, place, low, high } = own[at.dataIndex]!;
      return mark(coord, { difference, place, low, high }, colour);
    },
    ...(verdict === "better" && {
      markLine: {
        silent: true,
        symbol: "none",
        animation: false,
        label: { show: false },
        lineStyle: { color: "#30363d", type: "solid", width: 1 },
        data: [{ xAxis: 0 }],
      },
    }),
  };
}

function mark(
  coord: (point: readonly number[]) => number[],
  {
    difference,
    place,
    low,
    high,
  }: { difference: number; place: number; low: number | null; high: number | null },
  colour: string,
) {
  const [x, y] = coord([difference, place]) as [number, number];
  const tested = low !== null && high !== null;
  const style = { stroke: colour, lineWidth: 2 };
  const [from, to] = tested ? [coord([low, place])[0]!, coord([high, place])[0]!] : [x, x];
  const whisker = (at: number) => ({ type: "line", shape: { x1: at, y1: y - 5, x2: at, y2: y + 5 }, style });
  return {
    type: "group",
    children: [
      ...(tested
        ? [{ type: "line", shape: { x1: from, y1: y, x2: to, y2: y }, style }, whisker(from), whisker(to)]
        : []),
      {
        type: "circle",
        shape: { cx: x, cy: y, r: 5 },
        style: { ...style, fill: tested ? colour : "#ffffff" },
      },
      {
        type: "text",
        x: difference < 0 ? from - 12 : to + 12,
        y,
        style: {
          text: `${difference > 0 ? "+" : ""}${Number(difference.toPrecision(3))}`,
          fill: QUIET,
          fontSize: 11,
          fontFamily: "DejaVu Sans",
          align: difference < 0 ? "right" : "left",
          verticalAlign: "middle",
        },
      },
    ],
  };
}
