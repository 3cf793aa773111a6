import { CustomChart, LineChart } from "echarts/charts";
import { GridComponent, TooltipComponent } from "echarts/components";
import { connect, type EChartsCoreOption, type EChartsType, init, use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";
import { shownNumber } from "../parts/numbers.js";
import { inksOf, lineOf } from "./colours.js";
import type { Point, Series } from "./series.js";

use([LineChart, CustomChart, GridComponent, TooltipComponent, SVGRenderer]);

/** More points with bounds than this are drawn as a band: bars would run into each other. */
const MOST_BARS = 60;
/** Charts whose pointers move together. */
const GROUP = "metrics";

/** What one chart shows. */
export interface ChartContent {
  readonly series: readonly Series[];
  readonly dark: boolean;
}

/** A chart in a box, until it is taken away. */
export interface Chart {
  draw(content: ChartContent): void;
  resize(): void;
  remove(): void;
}

/** Makes a chart of SVG, which stays sharp and costs nothing while it is out of sight. */
export function createChart(box: HTMLElement): Chart {
  const chart: EChartsType = init(box, undefined, { renderer: "svg" });
  chart.group = GROUP;
  connect(GROUP);
  return {
    draw: (content) => chart.setOption(optionOf(content), { notMerge: true }),
    resize: () => chart.resize(),
    remove: () => chart.dispose(),
  };
}

function optionOf({ series, dark }: ChartContent): EChartsCoreOption {
  const { ink, quiet, line, ground } = inksOf(dark);
  const axis = { color: quiet, fontSize: 11, fontFamily: "system-ui, sans-serif" };
  return {
    animation: false,
    grid: { left: 8, right: 14, top: 12, bottom: 6, containLabel: true },
    xAxis: {
      type: "value",
      min: "dataMin",
      max: "dataMax",
      minInterval: 1,
      axisLabel: { ...axis, hideOverlap: true },
      axisLine: { lineStyle: { color: line } },
      axisTick: { show: false },
      splitLine: { show: false },
      axisPointer: { lineStyle: { color: quiet } },
    },
    yAxis: {
      type: "value",
      scale: true,
      splitNumber: 4,
      axisLabel: { ...axis, hideOverlap: true },
      splitLine: { lineStyle: { color: line } },
    },
    tooltip: {
      trigger: "axis",
      confine: true,
      transitionDuration: 0,
      backgroundColor: ground,
      borderColor: line,
      textStyle: { color: ink, fontSize: 12 },
      formatter: (given: unknown) => tip(given, series, dark),
    },
    series: series.flatMap((one, place) => drawnSeries(one, lineOf(place, dark))),
  };
}

function drawnSeries({ run, points }: Series, { colour, dash }: ReturnType<typeof lineOf>): object[] {
  const bounded = points.filter((point) => point.low !== undefined);
  const line = {
    name: run,
    type: "line",
    data: points.map(({ round, value }) => [round, value]),
    showSymbol: points.length <= MOST_BARS,
    symbol: "circle",
    symbolSize: 5,
    lineStyle: { width: 1.75, type: dash, color: colour },
    itemStyle: { color: colour },
    emphasis: { disabled: true },
    z: 3,
  };
  if (bounded.length === 0) return [line];
  const draw = bounded.length <= MOST_BARS ? bars(colour) : band(bounded, colour);
  const data = bounded.map(({ round, value, low, high }) => [round, value, low, high]);
  // The axis has to make room for the bounds too.
  const encode = { x: 0, y: [1, 2, 3] };
  return [
    line,
    {
      name: `${run} bounds`,
      type: "custom",
      data,
      encode,
      renderItem: draw,
      silent: true,
      z: 2,
      tooltip: { show: false },
    },
  ];
}

interface Place {
  value(dimension: number): number;
  coord(data: readonly number[]): readonly [number, number];
}

/** A bar from the lower bound to the upper, with feet. */
function bars(colour: string) {
  return (_: unknown, { value, coord }: Place) => {
    const [x, low] = coord([value(0), value(2)]);
    const [, high] = coord([value(0), value(3)]);
    const style = { stroke: colour, lineWidth: 1.25, opacity: 0.8 };
    const piece = (x1: number, y1: number, x2: number, y2: number) => ({
      type: "line",
      shape: { x1, y1, x2, y2 },
      style,
    });
    return {
      type: "group",
      children: [piece(x, low, x, high), piece(x - 3, low, x + 3, low), piece(x - 3, high, x + 3, high)],
    };
  };
}

/** One surface between all lower and all upper bounds; the first point draws it for all. */
function band(points: readonly Point[], colour: string) {
  return ({ dataIndexInside }: { dataIndexInside: number }, { coord }: Place) => {
    if (dataIndexInside > 0) return undefined;
    const upper = points.map(({ round, high = 0 }) => coord([round, high]));
    const lower = points.map(({ round, low = 0 }) => coord([round, low]));
    return {
      type: "polygon",
      shape: { points: [...upper, ...lower.reverse()] },
      style: { fill: colour, opacity: 0.16 },
    };
  };
}

/** Built of elements: names of runs are data, and no markup. */
function tip(given: unknown, series: readonly Series[], dark: boolean): HTMLElement {
  const box = document.createElement("div");
  const [first] = Array.isArray(given) ? (given as { axisValue: number }[]) : [];
  const round = Number(first?.axisValue);
  box.append(Object.assign(document.createElement("strong"), { textContent: `Round ${round}` }));
  for (const [place, { run, points }] of series.entries()) {
    const point = points.find((one) => one.round === round);
    if (point === undefined) continue;
    const { value, low, high } = point;
    const bounds =
      low === undefined || high === undefined ? "" : ` (${shownNumber(low)} to ${shownNumber(high)})`;
    const line = document.createElement("div");
    const mark = document.createElement("span");
    mark.textContent = "● ";
    mark.style.color = lineOf(place, dark).colour;
    line.append(mark, `${run}  ${shownNumber(value)}${bounds}`);
    box.append(line);
  }
  return box;
}
