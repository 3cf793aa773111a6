import type { PartitionTable } from "../../data/index.js";
import { COLOURS } from "./colours.js";
import type { Chart } from "./renderChart.js";

/**
 * Who holds what: a bar for each client, as long as it has rows, in the colours of its classes. Of more classes than can
 * be told apart a map of clients and classes, the darker the more rows.
 */
export function partitionChart(table: PartitionTable): Chart {
  const classes = table.clients[0]?.classes?.length ?? 0;
  return classes > COLOURS.length ? classMap(table, classes) : bars(table, classes);
}

/** Clients that get a line with their number each; more stand side by side. */
const MOST_LINES = 60;
const WIDTH = 1100;

function bars(table: PartitionTable, classes: number): Chart {
  const lines = table.clients.length <= MOST_LINES;
  // Of many the shape of the distribution is to be seen, not who is who.
  const clients = lines ? table.clients : table.clients.toSorted((one, other) => other.samples - one.samples);
  const category = {
    type: "category",
    data: clients.map(({ client }, place) => String(lines ? client : place + 1)),
    name: lines ? "client" : "clients, those with most rows first",
    nameLocation: "middle",
    nameGap: 40,
    axisTick: { show: lines },
    axisLabel: lines ? {} : { interval: Math.ceil(clients.length / 20) - 1 },
    inverse: lines,
  };
  const value = { type: "value", name: "rows", nameLocation: "middle", nameGap: lines ? 30 : 56 };
  const look = { type: "bar", stack: "rows", barCategoryGap: lines ? "20%" : "0%" };
  const series =
    classes === 0
      ? [{ ...look, name: "rows", data: clients.map(({ samples }) => samples) }]
      : Array.from({ length: classes }, (_, label) => ({
          ...look,
          name: nameOf(table, label),
          data: clients.map((row) => row.classes![label]!),
        }));
  return {
    width: WIDTH,
    height: lines ? 170 + 20 * clients.length : 560,
    option: {
      ...heading(table),
      color: [...COLOURS],
      legend: classes === 0 ? { show: false } : { top: 56, itemWidth: 12, itemHeight: 12, itemGap: 20 },
      grid: { left: 80, right: 30, top: classes > 8 ? 106 : 90, bottom: 60 },
      xAxis: lines ? value : category,
      yAxis: lines ? category : value,
      series,
    },
  };
}

function classMap(table: PartitionTable, classes: number): Chart {
  const { clients } = table;
  const cells = clients.flatMap(({ classes: counts }, client) =>
    counts!.flatMap((count, label) => (count > 0 ? [[label, client, count]] : [])),
  );
  const most = cells.reduce((largest, [, , count]) => Math.max(largest, count!), 1);
  const line = Math.min(Math.max(Math.ceil(900 / clients.length), 1), 18);
  return {
    width: WIDTH,
    height: 170 + line * clients.length,
    option: {
      ...heading(table),
      grid: { left: 80, right: 130, top: 76, bottom: 56 },
      xAxis: {
        type: "category",
        data: Array.from({ length: classes }, (_, label) => nameOf(table, label, "")),
        name: "class",
        nameLocation: "middle",
        nameGap: 30,
      },
      yAxis: {
        type: "category",
        data: clients.map(({ client }) => String(client)),
        name: "client",
        nameLocation: "middle",
        nameGap: 48,
        inverse: true,
      },
      visualMap: {
        min: 0,
        max: most,
        right: 20,
        top: "middle",
        text: [`${most} rows`, "0"],
        inRange: { color: ["#f7fbff", "#6baed6", "#08306b"] },
      },
      series: [{ type: "heatmap", data: cells, progressive: 0 }],
    },
  };
}

function heading({ sampler, clients, held, rows, disjoint }: PartitionTable) {
  const number = (value: number) => value.toLocaleString("en-US");
  return {
    title: {
      text: `${sampler}: ${number(clients.length)} clients`,
      subtext: `${number(held)} of ${number(rows)} training rows are held; ${disjoint ? "no row is held twice" : "some rows are held more than once"}`,
      left: "center",
      top: 6,
    },
  };
}

function nameOf({ class_names: names }: PartitionTable, label: number, before = "class "): string {
  return names?.[label] ?? `${before}${label}`;
}
