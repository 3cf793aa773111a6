import { ElenchusError } from "../base/index.js";
import {
  type Chart,
  type ConfusionCounts,
  type ConfusionPanel,
  confusionChart,
  confusionMatrices,
  type DifferencePanel,
  differencesChart,
  type RecordedRun,
  readTable,
  runsChart,
} from "../results/index.js";
import type { ComparedPair } from "./shownComparison.js";

/** What is to be drawn of runs. */
export interface DrawingWanted {
  readonly metric: string | undefined;
  readonly rounds: readonly number[] | undefined;
}

/** The metric by which the artifact of a classification is asked for. */
export const CONFUSION = "confusion_matrix";

/**
 * The chart of what runs recorded.
 * @throws NAME_UNKNOWN for a metric that nothing has; USAGE where there is no such matrix
 */
export async function drawnRuns(
  runs: readonly RecordedRun[],
  { metric, rounds }: DrawingWanted,
): Promise<Chart> {
  if (metric === CONFUSION) return drawnConfusion(runs, rounds);
  const plotted = await Promise.all(
    runs.map(async (run) => ({ ...run, table: within(await readTable(run.paths.csv), run, rounds) })),
  );
  return runsChart(plotted, metric);
}

/** The chart of a comparison: tested differences with their intervals, all others as shares of what was. */
export function drawnComparison(pairs: readonly ComparedPair[], confidence: number): Chart {
  const panels = pairs.flatMap(({ a, b, samples, cells }): DifferencePanel[] => {
    const described = { ...b.run.manifest?.columns, ...a.run.manifest?.columns };
    const way = (evaluator: string | null, metric: string) =>
      Object.values(described).find((one) => one.evaluator === evaluator && one.metric === metric)
        ?.higher_is_better ?? null;
    const heading = `A: ${a.run.runId}, round ${a.round}     B: ${b.run.runId}, round ${b.round}`;
    const tested = samples.map(({ evaluator, task, metric, difference, low, high }) => ({
      name: `${task} ${metric}`,
      difference,
      low,
      high,
      higherIsBetter: way(evaluator, metric),
    }));
    // What repeats another line, or is a bound of it or its spread over clients, is no line of its own.
    const repeats = /(_primary_value|_ci_low|_ci_high|_stderr|_clients_.*_(std|min|max))$/;
    const shares = cells.flatMap(({ column, a: was, difference }) =>
      was === 0 || repeats.test(column)
        ? []
        : [
            {
              name: column.replace(/^evaluation_/, ""),
              difference: (100 * difference) / Math.abs(was),
              low: null,
              high: null,
              higherIsBetter: described[column]?.higher_is_better ?? null,
            },
          ],
    );
    // The test scalar and an evaluator's metric of the same name are most often one number.
    const different = shares.filter(
      ({ name, difference }, place) =>
        shares.findIndex((one) => one.name === name && one.difference === difference) === place,
    );
    return [
      ...(tested.length > 0
        ? [{ heading, axis: "B - A, in the metric's own unit", differences: tested }]
        : []),
      ...(different.length > 0 ? [{ heading, axis: "B - A, in % of A", differences: different }] : []),
    ];
  });
  if (panels.length === 0) {
    throw new ElenchusError("USAGE", "There is nothing to draw: the rounds have nothing measured in common.");
  }
  const percent = Number((confidence * 100).toPrecision(6));
  const note = `dots with bars: paired samples with their ${percent} % interval; rings: not tested; ↑ higher is better, ↓ lower is better`;
  return differencesChart("Is B better than A?", note, panels);
}

async function drawnConfusion(
  runs: readonly RecordedRun[],
  rounds: readonly number[] | undefined,
): Promise<Chart> {
  const panels: ConfusionPanel[] = [];
  for (const run of runs) {
    const found = await confusionMatrices(run);
    const wanted = rounds ?? found.slice(-1).map(({ round }) => round);
    const chosen = found.filter(({ round }) => wanted.includes(round));
    if (chosen.length === 0) throw noMatrix(run, found);
    panels.push(...chosen.map((matrix) => ({ heading: headingOf(run, matrix, found), matrix })));
  }
  return confusionChart("Which class was taken for which", panels);
}

function headingOf(
  { runId }: RecordedRun,
  { round, evaluator }: ConfusionCounts,
  found: readonly ConfusionCounts[],
): string {
  const several = new Set(found.map((one) => one.evaluator)).size > 1;
  return `${runId}, round ${round}${several ? `, ${evaluator}` : ""}`;
}

function noMatrix({ runId }: RecordedRun, found: readonly ConfusionCounts[]): ElenchusError {
  const there = [...new Set(found.map(({ round }) => round))];
  const mend =
    there.length === 0
      ? 'An evaluator of type = "classification" hands one over in every round.'
      : `There is one of the rounds ${there.join(", ")}.`;
  return new ElenchusError(
    "USAGE",
    `The run "${runId}" has no confusion matrix of the rounds asked for. ${mend}`,
  );
}

function within(
  table: Awaited<ReturnType<typeof readTable>>,
  { manifest }: RecordedRun,
  rounds: readonly number[] | undefined,
) {
  if (rounds === undefined) return table;
  const first = manifest?.first_round ?? 1;
  return {
    ...table,
    rows: table.rows.filter((row, place) => rounds.includes(Number(row.get("round") ?? first + place))),
  };
}
