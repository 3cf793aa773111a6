import type { Fault } from "../fault.js";

/** Faults of `page`, and of what it alone asks for. */
export const page: readonly Fault[] = [
  {
    name: "the oldest rows given as the newest",
    file: "service/runs/runView.ts",
    from: "Math.max(0, table.rows.length - wanted.last)",
    to: "Math.min(0, table.rows.length - wanted.last)",
    test: "service/http/runs.test.ts",
    only: "give the newest rows first",
  },
  {
    name: "failures shown among the samples that passed",
    file: "service/runs/samplePage.ts",
    from: "(wanted.passes && failed)",
    to: "(wanted.passes && failed && wanted.failures)",
    test: "service/http/runs.test.ts",
    only: "show samples, failures alone too",
  },
  {
    name: "one run's direction taken for that of another",
    file: "page/metrics/series.ts",
    from: "ways.size === 1 ? [...ways][0]",
    to: "ways.size >= 1 ? [...ways][0]",
    test: "page/series.test.ts",
    only: "has the direction that runs agree on",
  },
  {
    name: "an interval with its bounds exchanged in a chart",
    file: "page/metrics/series.ts",
    from: "[number(row, how.low), number(row, how.high)]",
    to: "[number(row, how.high), number(row, how.low)]",
    test: "page/series.test.ts",
    only: "takes a recorded interval as it is",
  },
  {
    name: "the worst round called the best",
    file: "page/metrics/series.ts",
    from: "higher ? point.value > best.value : point.value < best.value",
    to: "higher ? point.value < best.value : point.value > best.value",
    test: "page/series.test.ts",
    only: "is best where its direction says",
  },
];
