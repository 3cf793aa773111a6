import { COLOURS, FAINT, QUIET } from "./colours.js";
import { type Cell, cells, legendHeight } from "./layout.js";
import type { Chart } from "./renderChart.js";

/** A point of a line; `low` and `high` bound what it stands for, where that is known. */
export interface LinePoint {
  readonly x: number;
  /** Null where nothing could be measured: the line is broken there. */
  readonly y: number | null;
  readonly low?: number | null | undefined;
  readonly high?: number | null | undefined;
}

/** A line; the same name has the same colour in every panel. */
export interface Line {
  readonly name: string;
  readonly points: readonly LinePoint[];
}

/** An axis: what it measures, and in what. */
export interface Axis {
  readonly name: string;
  readonly unit?: string | null | undefined;
  readonly higherIsBetter?: boolean | null | undefined;
}

/** One pair of axes. */
export interface Panel {
  readonly x: Axis;
  readonly y: Axis;
  readonly lines: readonly Line[];
}

/** What a chart of lines shows. */
export interface LineChart {
  readonly title: string;
  /** What bands are, for example `shaded: 95 % interval`. */
  readonly note?: string | undefined;
  readonly panels: readonly Panel[];
}

/**
 * Draws lines over rounds or time: a panel for each metric, axes with name and unit, and which way is better. A panel
 * without a point is left out.
 */
export function lineChart({ title, note, panels: given }: LineChart): Chart {
  const panels = given.filter(({ lines }) => lines.some(({ points }) => points.length > 0));
  const names = [...new Set(panels.flatMap(({ lines }) => lines.map(({ name }) => name)))];
  const legend = names.length > 1 || names[0] !== title;
  const bottom = legend ? legendHeight(names, WIDTH) : 0;
  const { places, height } = cells(panels.length, {
    width: WIDTH,
    top: note === undefined ? 44 : 66,
    bottom,
  });
  const colourOf = (name: string) => COLOURS[names.indexOf(name) % COLOURS.length]!;
  return {
    width: WIDTH,
    height,
    option: {
      title: [
        {
          text: title,
          subtext: note ?? "",
          left: "center",
          top: 8,
          itemGap: 6,
          subtextStyle: { color: QUIET },
        },
        ...panels.flatMap((panel, place) => headings(panel, places[place]!)),
      ],
      legend: legend
        ? {
            data: names,
            bottom: 10,
            left: "center",
            width: WIDTH - 80,
            itemGap: 22,
            itemWidth: 22,
            icon: "roundRect",
            itemHeight: 4,
          }
        : { show: false },
      grid: places.map(({ left, top, width, height: high }) => ({ left, top, width, height: high })),
      xAxis: panels.map(({ x, lines }, gridIndex) => ({
        ...axis(x),
        ...range(lines),
        gridIndex,
        nameGap: 30,
        splitLine: { show: false },
      })),
      yAxis: panels.map(({ y }, gridIndex) => ({
        ...axis(y),
        gridIndex,
        nameGap: 58,
        scale: true,
        axisLine: { show: false },
        axisTick: { show: false },
        splitLine: { lineStyle: { color: FAINT } },
      })),
      series: panels.flatMap(({ lines }, panel) =>
        lines.flatMap((line) => [
          ...band(line, panel, { colour: colourOf(line.name), several: lines.length > 3 }),
          stroke(line, panel, colourOf(line.name)),
        ]),
      ),
    },
  };
}

const WIDTH = 1100;
const MOST_TICKS = 10;
/** Points on a line that are seen one by one. */
const MOST_SYMBOLS = 40;

/** `accuracy (fraction)`; of a number without a unit its name alone. */
export function axisName({ name, unit }: Axis): string {
  return unit == null || unit === "" || unit === name ? name : `${name} (${unit})`;
}

/** `↑ higher is better`; nothing where nobody has said. */
export function direction(higherIsBetter: boolean | null | undefined): string {
  if (higherIsBetter == null) return "";
  return higherIsBetter ? "↑ higher is better" : "↓ lower is better";
}

function axis(of: Axis) {
  return {
    type: "value",
    name: axisName(of),
    nameLocation: "middle",
    nameTextStyle: { color: "#30363d", fontSize: 13 },
    axisLabel: { color: QUIET, hideOverlap: true },
  };
}

/** From 0, unless all of it lies far from there, in steps of 1, 2 or 5 times a power of ten. */
function range(lines: readonly Line[]) {
  const values = lines.flatMap(({ points }) => points.map(({ x }) => x));
  const [least, most] = values.reduce(([low, high], x) => [Math.min(low, x), Math.max(high, x)], [
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ] as [number, number]);
  const from = least >= 0 && (least < most / 2 || least === most) ? 0 : least;
  const step = niceStep((most - from || 1) / MOST_TICKS);
  return { min: Math.floor(from / step) * step, max: Math.ceil(most / step) * step, interval: step };
}

/** The next larger of 1, 2 and 5 times a power of ten; at least 1 for rounds and seconds alike. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= least * (1 - 1e-9))!;
  return Math.max(step, 1);
}

/** Its metric over the left end, which way is better over the right one. */
function headings({ y }: Panel, { left, top, width }: Cell) {
  return [
    { text: y.name, left, top: top - 30, padding: 0, textStyle: { fontSize: 14, color: "#30363d" } },
    {
      text: direction(y.higherIsBetter),
      left: left + width,
      top: top - 28,
      padding: 0,
      textAlign: "right",
      textStyle: { fontSize: 12, fontWeight: "normal", color: QUIET },
    },
  ];
}

function stroke({ name, points }: Line, panel: number, colour: string) {
  return {
    type: "line",
    name,
    xAxisIndex: panel,
    yAxisIndex: panel,
    data: points.map(({ x, y }) => [x, y]),
    color: colour,
    lineStyle: { width: 2.2 },
    // Nobody points at a picture: without, styles for that stand in it.
    silent: true,
    symbol: "circle",
    symbolSize: 6,
    showSymbol: points.length <= MOST_SYMBOLS,
    z: 3,
  };
}

/** What a line's points may be: an area, of a single point a bar. */
function band(
  { name, points }: Line,
  panel: number,
  { colour, several }: { colour: string; several: boolean },
) {
  const known = points.flatMap(({ x, y, low, high }) =>
    y != null && low != null && high != null ? [[x, low, high]] : [],
  );
  if (known.length === 0) return [];
  return [
    {
      type: "custom",
      name,
      xAxisIndex: panel,
      yAxisIndex: panel,
      data: known,
      encode: { x: 0, y: [1, 2] },
      color: colour,
      clip: true,
      silent: true,
      z: 1,
      renderItem: (at: { dataIndex: number }, { coord }: { coord(point: readonly number[]): number[] }) => {
        if (at.dataIndex > 0) return null;
        const upper = known.map(([x, , high]) => coord([x!, high!]));
        const lower = known.map(([x, low]) => coord([x!, low!]));
        if (known.length === 1) return bar(lower[0]!, upper[0]!, colour);
        return {
          type: "polygon",
          shape: { points: [...upper, ...lower.reverse()] },
          style: { fill: colour, opacity: several ? 0.09 : 0.18 },
        };
      },
    },
  ];
}

function bar([x, low]: readonly number[], [, high]: readonly number[], colour: string) {
  const cap = (y: number) => ({ x1: x! - 6, y1: y, x2: x! + 6, y2: y });
  const lines = [{ x1: x!, y1: low!, x2: x!, y2: high! }, cap(low!), cap(high!)];
  return {
    type: "group",
    children: lines.map((shape) => ({ type: "line", shape, style: { stroke: colour, lineWidth: 2 } })),
  };
}
