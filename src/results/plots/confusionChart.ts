import { QUIET } from "./colours.js";
import type { ConfusionCounts } from "./confusionArtifact.js";
import type { Chart } from "./renderChart.js";
import { textWidth } from "./textWidth.js";

/** A matrix and the words over it, for example the run's id. */
export interface ConfusionPanel {
  readonly heading: string;
  readonly matrix: ConfusionCounts;
}

/**
 * Draws confusion matrices: rows are true classes, columns predicted ones, a cell the darker the larger its share of
 * the row, so that rare classes can be read too; the counts stand in it where there is room.
 */
export function confusionChart(title: string, panels: readonly ConfusionPanel[]): Chart {
  const columns = panels.length === 1 ? 1 : 2;
  const classes = Math.max(...panels.map(({ matrix }) => matrix.counts.length));
  const size = Math.min(Math.max(classes * (columns === 1 ? 56 : 40), 300), columns === 1 ? 820 : 520);
  const longest = Math.max(
    ...panels.flatMap(({ matrix }) => namesOf(matrix).map((name) => textWidth(name, "12px"))),
  );
  const left = 62 + Math.min(longest, 150);
  const cell = { width: left + size + 40, height: 58 + size + 74 };
  const width = cell.width * Math.min(columns, panels.length) + 90;
  const places = panels.map((_, place) => ({
    left: (place % columns) * cell.width + left,
    top: TOP + Math.floor(place / columns) * cell.height + 58,
    width: size,
    height: size,
  }));
  return {
    width,
    height: TOP + Math.ceil(panels.length / columns) * cell.height,
    option: {
      title: [
        { text: title, left: "center", top: 10 },
        ...panels.map(({ heading, matrix }, place) => ({
          text: heading,
          subtext: rightOf(matrix),
          left: places[place]!.left + size / 2,
          top: places[place]!.top - 56,
          textAlign: "center",
          itemGap: 5,
          textStyle: { fontSize: 14 },
          subtextStyle: { color: QUIET },
        })),
      ],
      grid: places,
      xAxis: panels.map(({ matrix }, gridIndex) => axis(matrix, gridIndex, size, "predicted class")),
      yAxis: panels.map(({ matrix }, gridIndex) => ({
        ...axis(matrix, gridIndex, size, "true class"),
        nameGap: left - 36,
        inverse: true,
      })),
      visualMap: {
        min: 0,
        max: 1,
        dimension: 2,
        right: 16,
        top: TOP + 58,
        itemHeight: Math.min(size - 40, 220),
        itemWidth: 14,
        text: ["100 %", "0"],
        textStyle: { color: QUIET },
        inRange: { color: SHADES },
      },
      graphic: [
        {
          type: "text",
          right: 14,
          top: TOP + 30,
          style: { text: "of the row", fill: QUIET, fontSize: 12, fontFamily: "DejaVu Sans" },
        },
      ],
      series: panels.map(({ matrix }, panel) => ({
        type: "heatmap",
        xAxisIndex: panel,
        yAxisIndex: panel,
        progressive: 0,
        silent: true,
        data: cellsOf(matrix),
        label: {
          show: size / matrix.counts.length >= 26,
          fontSize: size / matrix.counts.length >= 44 ? 12 : 10,
          formatter: ({ value }: { value: readonly number[] }) => (value[3] === 0 ? "" : String(value[3])),
        },
        itemStyle: { borderColor: "#ffffff", borderWidth: size / matrix.counts.length >= 12 ? 1 : 0 },
      })),
    },
  };
}

const TOP = 44;
const SHADES = ["#f5f9fd", "#cfe1f2", "#93c3df", "#4b97c9", "#1864aa", "#08306b"];
/** Above this share a cell is too dark for dark text. */
const DARK = 0.55;

/** Predicted class, true class, share of the row, count. */
function cellsOf({ counts }: ConfusionCounts) {
  return counts.flatMap((row, truth) => {
    const rows = row.reduce((sum, count) => sum + count, 0);
    return row.map((count, predicted) => {
      const share = rows === 0 ? 0 : count / rows;
      return {
        value: [predicted, truth, share, count],
        label: { color: share > DARK ? "#ffffff" : "#24303c" },
      };
    });
  });
}

function axis(matrix: ConfusionCounts, gridIndex: number, size: number, name: string) {
  const names = namesOf(matrix);
  const room = size / names.length;
  const upright =
    name.startsWith("predicted") && Math.max(...names.map((one) => textWidth(one, "12px"))) + 4 > room;
  return {
    type: "category",
    gridIndex,
    data: names,
    name,
    nameLocation: "middle",
    nameGap: upright ? 54 : 30,
    nameTextStyle: { color: "#30363d", fontSize: 13 },
    axisLabel: {
      color: QUIET,
      rotate: upright ? 40 : 0,
      ...(room >= 14 && { interval: 0 }),
      width: 150,
      overflow: "truncate",
    },
    axisTick: { show: false },
    axisLine: { show: false },
  };
}

function namesOf({ counts, classNames }: ConfusionCounts): string[] {
  return counts.map((_, place) => classNames?.[place] ?? String(place));
}

function rightOf({ counts }: ConfusionCounts): string {
  const right = counts.reduce((sum, row, place) => sum + row[place]!, 0);
  const all = counts.flat().reduce((sum, count) => sum + count, 0);
  const shown = (value: number) => value.toLocaleString("en-US");
  const share = all === 0 ? "" : ` (${Number(((100 * right) / all).toPrecision(4))} %)`;
  return `${shown(right)} of ${shown(all)} rows right${share}`;
}
