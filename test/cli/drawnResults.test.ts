import { expect, it } from "vitest";
import { drawnComparison } from "../../src/cli/drawnResults.js";
import type { ComparedPair } from "../../src/cli/shownComparison.js";
import { renderChart } from "../../src/results/index.js";

/** What two rounds without samples differ by, by column. */
function pairOf(differences: Readonly<Record<string, number>>): ComparedPair {
  const side = (runId: string) => ({ run: { runId, manifest: null }, round: 3 });
  const cells = Object.entries(differences).map(([column, difference]) => ({
    ...{ evaluator: "classification", column, a: 2, b: 2 + difference, difference },
  }));
  return { a: side("one"), b: side("two"), samples: [], cells, notes: [] } as unknown as ComparedPair;
}

it("a drawn comparison has a line for each metric, not for its spread, its bounds or its repetition", async () => {
  const drawn = await renderChart(
    drawnComparison(
      [
        pairOf({
          ...{ accuracy: 1, evaluation_accuracy: 1, evaluation_primary_value: 1, evaluation_log_loss: 0.5 },
          ...{ evaluation_log_loss_ci_low: 0.1, evaluation_clients_accuracy: 0.25 },
          ...{ evaluation_clients_accuracy_std: 7, evaluation_clients_accuracy_min: 7 },
          ...{ evaluation_second_clients_f1_mean: 0.125, evaluation_second_clients_f1_max: 7 },
        }),
      ],
      0.95,
    ),
  );
  const names = [...drawn.matchAll(/>((?:second_|clients_|accuracy|log_loss)\w*)/g)].map(([, name]) => name);
  expect(names.sort()).toEqual(["accuracy", "clients_accuracy", "log_loss", "second_clients_f1_mean"]);
});
