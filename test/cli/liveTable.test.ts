import { expect, it } from "vitest";
import { manualClock } from "../../src/base/index.js";
import { liveTable } from "../../src/cli/liveTable.js";

it("keeps one line per round, which says how many rounds there are", () => {
  const lines: string[] = [];
  const output = {
    stdout() {},
    stderr: (text: string) => void lines.push(text),
    terminal: false,
    columns: 80,
  };
  const clock = manualClock();
  const table = liveTable(output, clock);
  const recorded = (round: number, accuracy: number | null) =>
    table.see({ kind: "row_recorded", record: { round, items: { accuracy }, evaluations: [], clients: [] } });

  recorded(0, null);
  for (const [round, accuracy] of [
    [3, 0.25],
    [10, 0.5],
  ] as const) {
    table.see({ kind: "round_started", round, rounds: 10, clients: [1] });
    clock.advance(1500);
    recorded(round, accuracy);
  }
  expect(lines).toEqual([
    "  round  accuracy   seconds  evaluation\n",
    "      0         -       0.0\n",
    "   3/10    0.2500       1.5\n",
    "  10/10    0.5000       1.5\n",
  ]);
});

it("names the scalar that it shows", () => {
  const lines: string[] = [];
  const output = {
    stdout() {},
    stderr: (text: string) => void lines.push(text),
    terminal: false,
    columns: 80,
  };
  const table = liveTable(output, manualClock());
  const scalar = { name: "perplexity", value: 123.5, higherIsBetter: false };
  table.see({ kind: "round_started", round: 1, rounds: 2, clients: [1] });
  table.see({ kind: "tested", round: 1, scalar });
  table.see({
    kind: "row_recorded",
    record: { round: 1, items: { accuracy: 123.5, perplexity: 123.5 }, evaluations: [], clients: [] },
  });
  expect(lines).toEqual(["  round  perplexity   seconds  evaluation\n", "    1/2    123.5000       0.0\n"]);
});
